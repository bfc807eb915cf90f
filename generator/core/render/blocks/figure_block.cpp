// The blocks that show something: ```figure draws a specification, ```listing a source file.
#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/draw/scale.hpp"
#include "figures/kinds/roofline.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/code/listing.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/shown_source.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/drawing.hpp"

namespace primer {
// ```figure: draws a specification twice, wide and narrow.

namespace {
constexpr std::string_view specs = "figures/specs/";

std::optional<JsonFile> read_spec(Emitter& emitter, const Yaml& at) {
  const std::string path = std::string(specs) + at.text + ".json";
  if (is_identifier(at.text)) {
    if (auto file = read_json(emitter.shared.files, path, emitter.diagnostics)) return file;
  }
  std::vector<std::string> names;
  for (const auto& file : emitter.shared.files.list("figures/specs")) {
    if (file.ends_with(".json"))
      names.push_back(file.substr(specs.size(), file.size() - specs.size() - 5));
  }
  // read_json() has reported a file that exists but is broken.
  if (std::find(names.begin(), names.end(), at.text) == names.end()) {
    emitter.error(Rule::unknown_figure, at.offset, at.length,
                  "there is no figure specification " + in_quotes(path), nearest(at.text, names));
  }
  return std::nullopt;
}

// The variable on the x axis of a figure of curves, which is neither a fact nor measured; or "".
std::string swept_by(const nlohmann::json& spec) {
  const auto axis = spec.find("x");
  if (axis == spec.end() || !axis->is_object()) return {};
  const auto name = axis->find("name");
  return name != axis->end() && name->is_string() ? name->get<std::string>() : "";
}

// What the reader must have measured before the figure can show their machine.
void collect_needs(const nlohmann::json& spec, const figures::Facts& facts,
                   const std::string& swept, std::set<std::string>& needs) {
  if (!spec.is_structured()) return;
  if (spec.is_object()) {
    const auto profile = spec.find("profile");
    if (profile != spec.end() && *profile != false) needs.insert("roofs");
    const auto kernel = spec.find("kernel");
    if (kernel != spec.end() && kernel->is_string()) needs.insert(kernel->get<std::string>());
    // In a point of a figure of curves, names that are not facts are measured.
    for (const char* coordinate : {"x", "y"}) {
      const auto member = spec.find(coordinate);
      if (member == spec.end() || !member->is_string()) continue;
      const auto expression = figures::Expression::parse(member->get<std::string>());
      if (!expression) continue;  // drawing reports the error
      for (const auto& name : expression->names()) {
        if (name.id != swept && !facts.find(name.id)) needs.insert(name.id);
      }
    }
  }
  for (const auto& member : spec) collect_needs(member, facts, swept, needs);
}

void report(Emitter& emitter, const JsonFile& spec, const figures::Error& error) {
  const bool misspelt = error.code != figures::Code::unknown_member && !error.suggestion.empty();
  const JsonPlace place = json_place(spec, error.path);
  emitter.diagnostics.error(
      Rule::bad_figure, spec.source, misspelt ? place.offset : place.key_offset,
      misspelt ? place.length : place.key_length, error.message, error.suggestion);
}

std::optional<figures::Rendering> draw(Emitter& emitter, const JsonFile& spec, const Yaml& at,
                                       figures::Layout layout) {
  const Values& values = emitter.shared.values;
  const figures::Inputs inputs{&values.facts, values.reference.get(), nullptr, &values.catalogue};
  auto drawing = primer::draw(emitter.shared.cache, values.reference.version(), spec.value, inputs,
                              drawing_options(emitter, layout), emitter.shared.words);
  if (drawing) {
    report_unsaid(emitter, at, drawing->unsaid);
    return std::move(drawing).value();
  }
  report(emitter, spec, drawing.error());
  return std::nullopt;
}

void emit_source(Emitter& emitter, const std::set<std::string>& needs) {
  if (needs.empty()) return;
  const Values& values = emitter.shared.values;
  // The reference machine has no GPU, so figures of GPU kernels show published results.
  const bool only_gpu = std::all_of(needs.begin(), needs.end(), [](const std::string& need) {
    return figures::is_gpu_kernel(need);
  });
  const std::string machine = values.reference && !only_gpu ? values.reference->label() : "";
  emitter.out.element(
      "p",
      {{"class", "plot-source"},
       {"data-reference", only_gpu ? emitter.word("what others published") : machine}},
      machine.empty() ? emitter.word("Not measured yet")
                      : emitter.word("Reference machine:") + ' ' + machine);
  emitter.out.line();
}

}  // namespace

const std::string& drawing_language(const Emitter& emitter) {
  const Book& book = emitter.shared.book;
  return emitter.shared.words.drawings().is_object() ? book.language : book.source_language;
}

figures::Options drawing_options(const Emitter& emitter, figures::Layout width) {
  return {.width = width, .lang = drawing_language(emitter)};
}

void report_unsaid(Emitter& emitter, const Yaml& at, const std::vector<std::string>& unsaid) {
  const std::set<std::string> forms(unsaid.begin(), unsaid.end());
  const std::string file = "site/locales/" + emitter.shared.book.language + ".json";
  for (const auto& form : forms)
    emitter.diagnostics.warning(Rule::missing_translation, emitter.source, at.offset, at.length,
                                "missing translation of the figure's text " + in_quotes(form) +
                                    ": expected it in " + file +
                                    " under \"said by drawings\" or \"said beside drawings\"");
}

void emit_data_table(Html& out, const figures::Table& table, const Messages& words,
                     const std::string& name, const std::string& language) {
  out.open("details", {{"class", "plot-data"}}).element("summary", {}, words("Data"));
  out.open("div", {{"class", "table"},
                   {"role", "group"},
                   {"tabindex", "0"},
                   {"aria-label", words("Data of {n}", name)}});
  out.open("table", {{"lang", language, !language.empty()}}).open("thead").open("tr");
  for (const auto& column : table.columns) {
    if (column.empty())
      out.element("td", {}, "");  // the corner cell heads neither a row nor a column
    else out.element("th", {{"scope", "col"}}, column);
  }
  out.close().close().open("tbody");
  for (const auto& row : table.rows) {
    out.open("tr");
    for (const auto& cell : row) {
      if (&cell == &row.front()) out.element("th", {{"scope", "row"}}, cell);
      else out.element("td", {}, cell);
    }
    out.close();
  }
  out.close().close().close().close().line();
}

namespace {
// Warns about a finding in the spec without a translation.
void report_untold(Emitter& emitter, const Yaml& at, const std::string& finding) {
  const Messages& all = emitter.shared.words;
  if (!all.drawings().is_object()) return;
  const figures::Words words(all.drawings(), &all.beside());
  words.tell(finding);
  report_unsaid(emitter, at, words.unsaid());
}

// Slider for a rate in bytes or operations per second. Its values are powers of ten. It lets
// readers guess with the keyboard.
void emit_rate(Emitter& emitter, const char* name, const std::string& label, double rate,
               figures::Meaning meaning, const char* least, const char* most) {
  Html& out = emitter.out;
  out.open("label").text(label + ' ');
  out.empty("input", {{"type", "range"},
                      {"name", name},
                      {"aria-label", label},
                      {"min", least},
                      {"max", most},
                      {"step", "0.02"},
                      {"value", figures::write_significant(std::log10(rate), 4)}});
  out.text(" ").element("b", {}, figures::quantity_text(rate, meaning, 2)).close().line();
}

// The sliders of a figure with a guess, hidden until a script handles them.
void emit_guess(Emitter& emitter) {
  const auto& word = emitter.shared.words;
  Html& out = emitter.out;
  out.open("div", {{"class", "guess-form"},
                   {"role", "group"},
                   {"aria-label", word("Your guess")},
                   {"hidden", "hidden"}});
  out.element("p", {}, word("Where is your ridge? Drag it, then measure.")).line();
  emit_rate(emitter, "rate", word("Arithmetic"), figures::guessed_rate, figures::Meaning::flop_rate,
            "8", "15");
  emit_rate(emitter, "bandwidth", word("Memory"), figures::guessed_bandwidth,
            figures::Meaning::byte_rate, "8", "13");
  out.close().line();
}

}  // namespace

void figure_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string alt = record.required_text("alt");
  if (!block.anchor) return;
  const Yaml& at = record.at("spec");
  const auto spec = read_spec(emitter, at);
  if (!spec) return;
  const bool guess = spec->value.value("guess", false);
  const auto wide =
      draw(emitter, *spec, at, guess ? figures::Layout::column : figures::Layout::wide);
  if (!wide) return;
  if (spec->value.contains("finding")) report_untold(emitter, at, wide->description);
  const auto narrow = draw(emitter, *spec, at, figures::Layout::narrow);
  if (!narrow) return;
  std::set<std::string> needs;
  collect_needs(spec->value, emitter.shared.values.facts, swept_by(spec->value), needs);

  Html& out = emitter.out;
  const std::string& id = block.anchor->id;
  out.open("figure", {{"class", "plot"}, {"id", id}, {"data-figure", id}}).line();
  out.open("div", {{"class", "plot-wide"}}).raw(wide->svg).close().line();
  out.open("div", {{"class", "plot-narrow"}}).raw(narrow->svg).close().line();
  if (guess) emit_guess(emitter);
  const std::string label = emitter.label(block.anchor, AnchorKind::figure);
  // HTML wants the caption last, so the tools come directly after the drawing.
  out.open("div", {{"class", "plot-tools"}});
  emit_source(emitter, needs);
  emit_data_table(
      out, wide->table, emitter.shared.words, label,
      drawing_language(emitter) == emitter.shared.book.language ? "" : emitter.shared.foreign());
  out.element("a", {{"class", "plot-link"}, {"href", '#' + id}}, emitter.word("Link"));
  out.close().line().open("figcaption");
  out.element("span", {{"class", "label"}}, label).text(" ");
  emitter.markdown_line(record.at("caption"));
  out.element("span", {{"class", "visually-hidden"}}, ' ' + std::string(trim(alt)));
  out.close().line().close().line();
  if (needs.empty()) return;
  const PageData::Json specification = spec->value;
  emitter.data.figures[id] = {{"spec", specification}, {"needs", needs}};
  emitter.data.need(specification, emitter.shared.values.facts);
}

// ```listing: shows a region of a source file, the same lines that the tests and the page run.

namespace {
// Names the module that contains this code, its size and a hash to compare it with.
void emit_module(Emitter& emitter, const std::string& file) {
  const Module* module = emitter.shared.values.kernels->module_of(file);
  if (!module) module = emitter.shared.modules.holding(file);
  if (!module) return;
  const auto kib = (module->size + 512) / 1024;
  Html& out = emitter.out;
  out.text(" ")
      .open("span", {{"class", "module"}})
      .text(emitter.word("in") + ' ')
      .element("code", {}, module->name);
  out.text(", " + std::to_string(kib) + " KiB, SHA-256 ");
  out.element("code", {}, module->short_checksum()).close();
}

void warn_of_mixed_scripts(Emitter& emitter, const Listing& listing, const Yaml& at) {
  for (const auto& word : mixed_scripts(listing.code)) {
    const auto end = listing.code.begin() + static_cast<std::ptrdiff_t>(word.offset);
    const auto line = listing.first_line + std::count(listing.code.begin(), end, '\n');
    emitter.diagnostics.warning(Rule::mixed_scripts, emitter.source, at.offset, at.length,
                                "a word of code in " + listing.file + ':' + std::to_string(line) +
                                    " mixes scripts: it holds " + word.name);
  }
}

}  // namespace

void listing_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string where = record.required_text("source");
  const Yaml* caption = record.any("caption");
  const auto file = normal_path(std::string_view(where).substr(0, where.find('#')));
  const Book& book = emitter.shared.book;
  const std::string refused =
      file ? why_not_shown(emitter.shared.files, book.sources, book.public_files, *file) : "";
  if (!refused.empty()) {
    const std::size_t length = std::min(where.find('#'), where.size());
    return emitter.error(Rule::private_source, record.at("source"), {refused, 0, length, {}});
  }
  const auto listing = read_listing(emitter.shared.files, where);
  if (!listing) {
    const auto& error = listing.error();
    emitter.error(!file ? Rule::path_outside_book : Rule::bad_listing, record.at("source"), error);
    return;
  }
  warn_of_mixed_scripts(emitter, *listing, record.at("source"));
  emitter.show_file(listing->file);
  Html& out = emitter.out;
  if (block.anchor) {
    out.open("figure", {{"class", "listing"}, {"id", block.anchor->id}}).line();
  } else {
    out.open("figure", {{"class", "listing"}}).line();
  }
  const WordLanguage* own = emitter.shared.book.code_language_of(listing->file);
  emit_code(emitter, record.at("source").offset, own ? own->name : listing->language, listing->code,
            {});
  out.open("figcaption");
  if (block.anchor) {
    out.element("span", {{"class", "label"}}, emitter.label(block.anchor, AnchorKind::listing));
    out.text(" ");
  }
  if (caption) {
    emitter.markdown_line(*caption);
    out.text(" ");
  }
  const int lines = static_cast<int>(split_lines(listing->code).size());
  const std::string place = listing->file + ':' + std::to_string(listing->first_line);
  if (emitter.shared.book.repository.empty()) {
    out.element("code", {}, place);
  } else {
    out.open("a", {{"href", emitter.shared.book.repository.file(listing->file, listing->first_line,
                                                                listing->first_line + lines - 1)}});
    out.element("code", {}, place).close();
  }
  emit_module(emitter, listing->file);
  out.close().line().close().line();
}

}  // namespace primer
