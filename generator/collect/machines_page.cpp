// /machines/: the machines whose results the book has, under one plot and in one table. Each file of
// figures/profiles/ is one, so the gallery grows with every profile that is sent.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "figures/base/decimal_text.hpp"
#include "figures/draw/scale.hpp"
#include "generator/base/html.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/text.hpp"
#include "generator/collect/collection.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/render/drawing.hpp"

namespace primer {
namespace {

constexpr std::size_t most_in_plot = 12;  // of one roofline (figures/kinds/shapes.cpp)

struct Recorded {
  std::string name;  // of its file
  figures::Profile profile;
  double arithmetic = 0, memory = 0;  // FLOP/s and B/s of one core
};

// The reference machine first, then the newest. What lacks a roof has no place in the plot, and no row.
std::vector<Recorded> recorded_machines(const Gallery& texts, const std::string& reference) {
  std::vector<Recorded> machines;
  for (const auto& [name, text] : texts) {
    auto profile = figures::parse_profile(text);
    if (!profile) continue;
    Recorded one{name, std::move(profile).value()};
    for (const char* isa : {"fma", "simd"}) {
      const figures::Roof* roof = one.profile.compute_roof(isa);
      if (roof) one.arithmetic = std::max(one.arithmetic, roof->value * 1e9);
    }
    const figures::Roof* memory = one.profile.memory_roof("out");
    if (memory) one.memory = memory->value * 1e9;
    if (one.arithmetic > 0 && one.memory > 0) machines.push_back(std::move(one));
  }
  std::ranges::stable_sort(machines, [&](const Recorded& a, const Recorded& b) {
    const auto key = [&](const Recorded& one) {
      return std::pair(one.name == reference, one.profile.created);
    };
    return key(a) > key(b);
  });
  return machines;
}

nlohmann::json spec_of(const std::vector<Recorded>& machines) {
  auto list = nlohmann::json::array();
  for (const auto& one : machines) {
    if (list.size() == most_in_plot) break;
    list.push_back({{"label", one.profile.label()},
                    {"peak", figures::write_significant(one.arithmetic / 1e9, 6) + " GFLOP/s"},
                    {"bandwidth", figures::write_significant(one.memory / 1e9, 6) + " GB/s"},
                    {"role", list.empty() ? "subject" : "context"}});
  }
  return {{"kind", "roofline"}, {"title", "One core of each machine"}, {"machines", list}};
}

// Nothing where the drawing fails: the table says the same.
void write_plot(Html& out, const CollectContext& book, const std::vector<Recorded>& machines) {
  figures::Options options;
  options.lang = book.book.language;
  const figures::Inputs inputs{&book.values.facts, nullptr, nullptr, &book.values.catalogue};
  const nlohmann::json spec = spec_of(machines);
  options.id_prefix = "machines-wide-";
  const auto wide = draw(book.cache, book.values.version, spec, inputs, options, book.words);
  options.width = figures::Layout::narrow;
  options.id_prefix = "machines-narrow-";
  const auto narrow = draw(book.cache, book.values.version, spec, inputs, options, book.words);
  if (!wide || !narrow) return;
  out.open("figure", {{"class", "plot"}, {"id", "fig-machines"}}).line();
  out.open("div", {{"class", "plot-wide"}}).raw(wide->svg).close().line();
  out.open("div", {{"class", "plot-narrow"}}).raw(narrow->svg).close().line();
  out.element("figcaption", {},
              "What one core of each machine can compute, and what it reads from the outermost "
              "level of its memory, as its browser reached it.");
  out.close().line();
}

void write_row(Html& out, const Recorded& one, bool can_compare) {
  using figures::Meaning;
  const figures::Profile& profile = one.profile;
  const auto cell = [&](const std::string& text) { out.element("td", {}, text); };
  out.open("tr", {{"id", one.name}}).element("th", {{"scope", "row"}}, profile.label());
  cell(profile.browser + (profile.os.empty() ? "" : ", " + profile.os));
  cell(profile.created.substr(0, 10));
  cell(profile.cores_usable > 0 ? std::to_string(profile.cores_usable) : "");
  cell(figures::quantity_text(one.arithmetic, Meaning::flop_rate));
  cell(figures::quantity_text(one.memory, Meaning::byte_rate));
  cell(figures::quantity_text(one.arithmetic / one.memory, Meaning::intensity));
  out.open("td");
  const std::string of = " " + profile.label();
  if (can_compare) {
    out.open("a", {{"href", "../machine/#with=" + one.name}}).text("Compare");
    out.element("span", {{"class", "visually-hidden"}}, of).close().text(" ");
  }
  out.open("a", {{"href", one.name + ".json"}}).text("JSON");
  out.element("span", {{"class", "visually-hidden"}}, of).close().close().close().line();
  if (profile.note.empty()) return;
  out.open("tr")
      .open("td", {{"colspan", "8"}})
      .element("small", {}, profile.note)
      .close()
      .close()
      .line();
}

std::string page_body(const CollectContext& book, const std::vector<Recorded>& machines,
                      bool has_machine_page) {
  Html out;
  write_plot(out, book, machines);
  out.open("div", {{"class", "table machines"},
                   {"tabindex", "0"},
                   {"role", "group"},
                   {"aria-label", "Machines"}});
  out.open("table").open("thead").open("tr");
  for (const char* head :
       {"machine", "browser", "measured", "cores", "arithmetic", "memory", "ridge", "results"}) {
    out.element("th", {{"scope", "col"}}, head);
  }
  out.close().close().open("tbody").line();
  for (const auto& one : machines) write_row(out, one, has_machine_page);
  out.close().close().close().line();
  out.element(
         "p", {},
         "Arithmetic and memory are the highest rates of one core that any probe reached; the ridge is "
         "one over the other. Cores are those that a page could use.")
      .line();
  if (!has_machine_page) return out.take();
  out.open("p").text("Yours is missing? ").element("a", {{"href", "../machine/"}}, "Measure it");
  out.text(" and press “Send to the gallery”. Nothing is sent before you have read it.")
      .close()
      .line();
  return out.take();
}

// What the page is made of, besides the program.
std::string key_of(const CollectContext& book, const Gallery& texts, bool has_machine_page) {
  Packer key;
  key.add(std::string("the page of machines"));
  key.add(book.values.version);
  key.add(book.book.language);
  key.add(book.book.reference);
  key.add(std::uint64_t{has_machine_page});
  for (const auto& [name, text] : texts) key.add(name), key.add(digest(text));
  return std::move(key.bytes);
}

}  // namespace

std::optional<CollectionPage> machines_page(const CollectContext& book) {
  if (!book.book.root.empty()) return std::nullopt;  // one for all languages
  const Gallery& texts = book.gallery;
  const bool has_machine_page = std::ranges::any_of(
      book.parts, [](const PageView& part) { return part.index->entry->url == "machine/"; });
  CollectionPage page{"machines/",
                      "Machines",
                      "The machines whose results the book has: each one's roof, and "
                      "where its numbers come from.",
                      "",
                      {}};
  page.in_all_languages = false;
  // Reading profiles takes longer than all else that follows an edit.
  const std::string key = key_of(book, texts, has_machine_page);
  std::vector<std::string> names;
  if (const auto kept =
          book.cache ? book.cache->find(Cache::Kind::collection, key) : std::nullopt) {
    Unpacker unpacker(*kept);
    unpacker.take(page.body);
    unpacker.take(names);
  } else {
    const auto machines = recorded_machines(texts, book.book.reference);
    for (const auto& one : machines) names.push_back(one.name);
    if (!machines.empty()) page.body = page_body(book, machines, has_machine_page);
    Packer packer;
    packer.add(page.body);
    packer.add(names);
    if (book.cache) book.cache->store(Cache::Kind::collection, key, std::move(packer.bytes));
  }
  if (names.empty()) return std::nullopt;
  for (const auto& name : names) {
    if (const auto text = texts.find(name); text != texts.end())
      page.files[name + ".json"] = text->second;
  }
  return page;
}

}  // namespace primer
