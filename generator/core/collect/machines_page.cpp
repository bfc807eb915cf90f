#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "figures/draw/scale.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/collect/collection.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/render/drawing.hpp"

namespace primer {
namespace {

// How a quantity is distributed over machines: a histogram on a logarithmic axis and quantiles in
// words.
struct Distribution {
  std::string id, what;  // "memory", "What one core reads from memory"
  Spread spread;
  figures::Meaning meaning;
};

constexpr int bar = 18, height = 120, room_below = 24;
constexpr int width = static_cast<int>(Spread::bar_count) * bar;

std::string text_of(const Distribution& all, double share) {
  return figures::quantity_text(all.spread.at(share), all.meaning);
}

void write_bars(Html& out, const std::vector<std::uint64_t>& counts) {
  const auto most = static_cast<double>(*std::ranges::max_element(counts));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const int tall = std::max(1, static_cast<int>(static_cast<double>(counts[i]) / most * height));
    out.empty("rect", {{"x", std::to_string(static_cast<int>(i) * bar + 1)},
                       {"y", std::to_string(height - tall)},
                       {"width", std::to_string(bar - 2)},
                       {"height", std::to_string(tall)},
                       {"fill", "currentColor"},
                       {"opacity", "0.55"}});
  }
}

void write_label(Html& out, int x, const char* anchor, const std::string& words) {
  out.open("text", {{"x", std::to_string(x)},
                    {"y", std::to_string(height + room_below - 6)},
                    {"text-anchor", anchor},
                    {"font-size", "14"},
                    {"fill", "currentColor"}});
  out.text(words).close();
}

void write_distribution(Html& out, const Distribution& all) {
  const std::string words = all.what + ", on " +
                            figures::group_thousands(std::to_string(all.spread.machines)) +
                            " machines: half of them lie between " + text_of(all, 0.25) + " and " +
                            text_of(all, 0.75) + ", the middle one at " + text_of(all, 0.5) + ".";
  out.open("figure", {{"class", "distribution"}, {"id", "fig-" + all.id}}).line();
  out.open("svg",
           {{"viewBox", "0 0 " + std::to_string(width) + ' ' + std::to_string(height + room_below)},
            {"role", "img"},
            {"aria-label", words}});
  write_bars(out, all.spread.bars);
  write_label(out, 0, "start", text_of(all, 0));
  write_label(out, width, "end", text_of(all, 1));
  out.close().line().element("figcaption", {}, words).close().line();
}

// The percentiles 0 to 100 for scripts, which show where the reader's machine is:
// "1.2e10,1.31e10,…".
std::string percentiles(const Distribution& all) {
  std::vector<std::string> each;
  for (const double value : all.spread.percentiles)
    each.push_back(figures::write_significant(value, 4));
  return join(each, ",");
}

// /machines/: one plot and one table of all machines in figures/profiles/. Every profile that
// somebody sends becomes a row.

constexpr std::size_t most_in_plot = 12;  // limit of a roofline figure (figures/kinds/shapes.cpp)

// Rows of the table. If there are more machines, only the first ones get a row, but scripts search
// all of them.
constexpr std::size_t most_in_table = 50;
// Distributions are shown for at least this many machines.
constexpr std::size_t fewest_spread = 20;

constexpr const char* list_of_all = "list/all.json";

struct Recorded {
  std::string name;  // file name without extension
  const RecordedMachine& profile;
};

bool has_core(const RecordedMachine& machine) {
  return machine.arithmetic > 0 && machine.memory > 0;
}

bool has_gpu(const RecordedMachine& machine) {
  return machine.gpu_arithmetic > 0 && machine.gpu_memory > 0;
}

// The machines with roofs of a kind: the reference machine first, then by date, newest first. A
// machine without them cannot be plotted and has no row.
std::vector<Recorded> recorded_machines(const Gallery& gallery, const std::string& reference,
                                        bool (*has_roofs)(const RecordedMachine&)) {
  std::vector<Recorded> machines;
  for (const auto& [name, machine] : gallery)
    if (has_roofs(machine)) machines.push_back({name, machine});
  std::vector<std::size_t> order(machines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
    return std::pair(machines[i].name == reference, std::string_view(machines[i].profile.created));
  });
  std::vector<Recorded> sorted;
  sorted.reserve(order.size());
  for (const auto i : order) sorted.push_back(machines[i]);
  return sorted;
}

nlohmann::json spec_of(const std::vector<Recorded>& machines) {
  auto list = nlohmann::json::array();
  for (const auto& one : machines) {
    if (list.size() == most_in_plot) break;
    list.push_back(
        {{"label", one.profile.label},
         {"peak", figures::write_significant(one.profile.arithmetic / 1e9, 6) + " GFLOP/s"},
         {"bandwidth", figures::write_significant(one.profile.memory / 1e9, 6) + " GB/s"},
         {"role", list.empty() ? "subject" : "context"}});
  }
  return {{"kind", "roofline"}, {"title", "One core of each machine"}, {"machines", list}};
}

// Writes nothing if drawing fails, because the table has the same numbers.
void write_plot(Html& out, const CollectContext& book, const std::vector<Recorded>& machines) {
  figures::Options options;
  options.lang = book.book.language;
  const figures::Inputs inputs{&book.values.facts, nullptr, nullptr, &book.values.catalogue};
  const nlohmann::json spec = spec_of(machines);
  const auto wide = draw(book.cache, absent, spec, inputs, options, book.words);
  options.width = figures::Layout::narrow;
  const auto narrow = draw(book.cache, absent, spec, inputs, options, book.words);
  if (!wide || !narrow) return;
  out.open("figure", {{"class", "plot"}, {"id", "fig-machines"}, {"aria-details", "machines-list"}})
      .line();
  out.open("div", {{"class", "plot-wide"}}).raw(wide->svg).close().line();
  out.open("div", {{"class", "plot-narrow"}}).raw(narrow->svg).close().line();
  out.element(
      "figcaption", {},
      "What one core of each machine can compute, and what it moves to and from the outermost "
      "level of its memory, as its browser reached it.");
  out.close().line();
}

void write_results(Html& out, const Recorded& one, bool can_compare) {
  const std::string of = " " + one.profile.label;
  out.open("td");
  if (can_compare) {
    out.open("a", {{"href", "../machine/#with=" + one.name}}).text("Compare");
    out.element("span", {{"class", "visually-hidden"}}, of).close().text(" ");
  }
  out.open("a", {{"href", one.name + ".json"}}).text("JSON");
  out.element("span", {{"class", "visually-hidden"}}, of).close().close();
}

void write_note(Html& out, const std::string& note, const char* columns) {
  if (note.empty()) return;
  out.open("tr")
      .open("td", {{"colspan", columns}})
      .element("small", {}, note)
      .close()
      .close()
      .line();
}

void write_rates(Html& out, double arithmetic, double memory) {
  using figures::Meaning;
  out.element("td", {}, figures::quantity_text(arithmetic, Meaning::flop_rate));
  out.element("td", {}, figures::quantity_text(memory, Meaning::byte_rate));
  out.element("td", {}, figures::quantity_text(arithmetic / memory, Meaning::intensity));
}

// Browser and date.
void write_origin(Html& out, const RecordedMachine& profile) {
  out.element("td", {}, profile.browser + (profile.os.empty() ? "" : ", " + profile.os));
  out.element("td", {}, profile.created.substr(0, 10));
}

void write_row(Html& out, const Recorded& one, bool can_compare) {
  const RecordedMachine& profile = one.profile;
  out.open("tr", {{"id", one.name}}).element("th", {{"scope", "row"}}, profile.label);
  write_rates(out, profile.arithmetic, profile.memory);
  write_origin(out, profile);
  out.element("td", {}, profile.cores > 0 ? std::to_string(profile.cores) : "");
  write_results(out, one, can_compare);
  out.close().line();
  write_note(out, profile.note, "8");
}

void open_table(Html& out, const char* id, const char* what, const char* names,
                std::initializer_list<const char*> heads) {
  out.open(
      "div",
      {{"class", names}, {"id", id}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", what}});
  out.open("table").open("thead").open("tr");
  for (const char* head : heads) out.element("th", {{"scope", "col"}}, head);
  out.close().close().open("tbody").line();
}

// Table of the machines whose GPU was measured, whether or not a core was.
void write_gpus(Html& out, const std::vector<Recorded>& machines) {
  if (machines.empty()) return;
  open_table(out, "machines-gpus", "GPUs", "table",
             {"GPU", "fp32", "memory", "ridge", "by", "measured", "results"});
  for (std::size_t i = 0; i < std::min(machines.size(), most_in_table); ++i) {
    const Recorded& one = machines[i];
    out.open("tr", {{"id", "gpu-" + one.name}});
    out.element("th", {{"scope", "row"}}, one.profile.label);
    write_rates(out, one.profile.gpu_arithmetic, one.profile.gpu_memory);
    write_origin(out, one.profile);
    write_results(out, one, false);
    out.close().line();
    write_note(out, one.profile.note, "7");
  }
  out.close().close().close().line();
  out.element("p", {}, "The whole GPU through WebGPU: its highest rates in fp32 and from memory.")
      .line();
}

Spread spread(const std::vector<Recorded>& machines, double RecordedMachine::* member) {
  std::vector<double> values;
  for (const auto& one : machines) values.push_back(one.profile.*member);
  return spread_of(std::move(values));
}

// When the machines of a summary were measured, and which of them are listed here.
void write_summarised(Html& out, const GallerySummary& summary) {
  const auto counted = [](std::uint64_t count) {
    return figures::group_thousands(std::to_string(count));
  };
  std::string words = "These " + counted(summary.machines()) + " machines were measured from " +
                      summary.first + " to " + summary.last + ", and are summarised";
  if (summary.left_out > 0)
    words += " without " + counted(summary.left_out) +
             " whose results were there twice or are none that a machine can have";
  out.element("p", {}, words + "; the book itself has the results of those below.").line();
}

// Distributions of all machines, or of the summary if there is one, and data that scripts use to
// find a machine and to place the reader's (site/runtime/gallery/).
void write_all(Html& out, const std::vector<Recorded>& machines, const GallerySummary* summary) {
  const bool listed = machines.size() >= fewest_spread;
  if (!listed && !summary) return;
  const Distribution arithmetic{
      "arithmetic", "What one core computes",
      summary ? summary->arithmetic : spread(machines, &RecordedMachine::arithmetic),
      figures::Meaning::flop_rate};
  const Distribution memory{"memory", "What one core moves to and from its memory",
                            summary ? summary->memory : spread(machines, &RecordedMachine::memory),
                            figures::Meaning::byte_rate};
  write_distribution(out, arithmetic);
  write_distribution(out, memory);
  if (summary) write_summarised(out, *summary);
  out.open("div", {{"id", "gallery"},
                   {"data-machines", std::to_string(arithmetic.spread.machines)},
                   {"data-list", list_of_all, listed},
                   {"data-arithmetic", percentiles(arithmetic)},
                   {"data-memory", percentiles(memory)},
                   {"data-listed", std::to_string(machines.size()), listed}});
  out.close().line();
  if (machines.size() <= most_in_table) return;
  out.open("p").text("The reference machine, if the book has one, and the newest: " +
                     std::to_string(most_in_table) + " of " + std::to_string(machines.size()) +
                     ". ");
  out.element("a", {{"href", list_of_all}}, "The list of all").text(" is JSON.").close().line();
}

// JSON with one line per machine: file name, label, browser, date, cores, FLOP/s and B/s.
std::string list_text(const std::vector<Recorded>& machines) {
  std::string list = "[";
  for (const auto& [name, machine] : machines) {
    const nlohmann::json line = {name,
                                 machine.label,
                                 machine.browser + (machine.os.empty() ? "" : ", " + machine.os),
                                 machine.created.substr(0, 10),
                                 machine.cores,
                                 std::round(machine.arithmetic),
                                 std::round(machine.memory)};
    list += (list.size() > 1 ? ",\n" : "\n") + line.dump();
  }
  return list + "\n]\n";
}

std::string page_body(const CollectContext& book, const std::vector<Recorded>& machines,
                      const std::vector<Recorded>& gpus, bool has_machine_page) {
  Html out;
  write_plot(out, book, machines);
  write_all(out, machines, book.summary);
  open_table(
      out, "machines-list", "Machines", "table machines",
      {"machine", "arithmetic", "memory", "ridge", "browser", "measured", "cores", "results"});
  for (std::size_t i = 0; i < std::min(machines.size(), most_in_table); ++i)
    write_row(out, machines[i], has_machine_page);
  out.close().close().close().line();
  out.element(
         "p", {},
         "Arithmetic and memory are the highest rates of one core that any probe reached; the ridge is "
         "one over the other. Cores are those that a page could use.")
      .line();
  write_gpus(out, gpus);
  if (!has_machine_page) return out.take();
  out.open("p").text("Yours is missing? ").element("a", {{"href", "../machine/"}}, "Measure it");
  out.text(" and press “Send to the gallery”. Nothing is sent before you have read it.")
      .close()
      .line();
  return out.take();
}

}  // namespace

std::optional<CollectionPage> machines_page(const CollectContext& book) {
  if (!book.book.root.empty()) return std::nullopt;  // one page for all languages
  const bool has_machine_page = std::ranges::any_of(
      book.parts, [](const PageView& part) { return part.index->entry->url == "machine/"; });
  CollectionPage page{"machines/",
                      "Machines",
                      "The machines whose results the book has: each one's roof, and "
                      "where its numbers come from.",
                      "",
                      {}};
  page.in_all_languages = false;
  const auto machines = recorded_machines(book.gallery, book.book.reference, has_core);
  const auto gpus = recorded_machines(book.gallery, book.book.reference, has_gpu);
  if (machines.empty()) return std::nullopt;
  page.body = page_body(book, machines, gpus, has_machine_page);
  for (const auto& list : {machines, gpus}) {
    for (const auto& [name, machine] : list) {
      page.lazy.emplace(name + ".json",
                        LazyFile{machine.text, [&files = book.files, path = profile_path(name)] {
                                   return files.read(path).value_or("");
                                 }});
    }
  }
  if (machines.size() >= fewest_spread) page.files[list_of_all] = list_text(machines);
  return page;
}

}  // namespace primer
