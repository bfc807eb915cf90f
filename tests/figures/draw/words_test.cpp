// Figures in other languages: how a label is translated, and that all labels of the book's figures
// and models have a translation that fits, for every machine and every setting.
#include "figures/draw/words.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "models/every_setting.hpp"
#include "render_check.hpp"
#include "rounds.hpp"

namespace {

using figures::Layout;
using nlohmann::json;

// A file of the book, or of the book in the directory $BOOK.
std::string book_file(const std::string& path) {
  const char* other = std::getenv("BOOK");
  return (other ? std::string(other) : SOURCE_ROOT) + '/' + path;
}

json read_book(const std::string& path) {
  std::ifstream file(book_file(path), std::ios::binary);
  REQUIRE(file.good());
  return json::parse(file);
}

// The strings that the generator takes from a locale file (generator/core/load/messages.cpp).
struct Forms {
  json labels, beside;

  explicit Forms(const std::string& language) {
    const json words = read_book("site/locales/" + language + ".json");
    labels = words.at("said by drawings");
    labels[","] = words.at(",");
    beside = words.at("said beside drawings");
  }
};

std::vector<std::filesystem::path> specs() {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(book_file("figures/specs")))
    all.push_back(entry.path());
  return all;
}

std::vector<figures::Profile> machines() {
  std::vector<figures::Profile> all;
  for (const char* name : {"phone", "big", "bare", "contrary", "empty", "gpu"})
    all.push_back(support::profile(name));
  return all;
}

const figures::Facts& facts() {
  static const figures::Facts all = [] {
    figures::Facts read;
    for (const auto& entry : std::filesystem::directory_iterator(book_file("chapters/facts"))) {
      const std::string name = entry.path().filename().string();
      if (name == "references.json" || name == "glossary.json" || name == "configs.json") continue;
      REQUIRE(read.load(read_book("chapters/facts/" + name)));
    }
    return read;
  }();
  return all;
}

using Missing = std::map<std::string, std::string>;  // form → where it is used

const figures::Profile& reference() {
  static const figures::Profile base =
      *figures::parse_profile(support::read_source("figures/profiles/reference-chromium.json"));
  return base;
}

const figures::Catalogue& catalogue() {
  static const figures::Catalogue all = support::catalogue();
  return all;
}

// The sentences that the spec writes, with their numbers on the reference machine.
std::string finding_of(const json& spec) {
  const auto drawing = figures::render(spec, {&facts(), &reference(), nullptr, &catalogue()}, {});
  REQUIRE(drawing);
  return drawing->description;
}

void draw_figure(const json& spec, const figures::Profile* reader, const figures::Words& words) {
  for (const Layout layout : {Layout::wide, Layout::column, Layout::narrow}) {
    figures::Options options;
    options.width = layout;
    options.lang = "es";
    options.words = &words;
    const auto drawing =
        figures::render(spec, {&facts(), &reference(), reader, &catalogue()}, options);
    INFO((drawing ? std::string() : drawing.error().message));
    REQUIRE(drawing);
    if (layout == Layout::column) continue;
    check::geometry(*drawing);
    check::nothing_struck_through(*drawing);
    INFO((drawing->omitted.empty() ? std::string() : drawing->omitted.front()));
    CHECK(drawing->omitted.empty());
  }
}

Missing missing_in_figures(const Forms& forms) {
  Missing missing;
  const auto profiles = machines();
  for (const auto& path : specs()) {
    const json spec = read_book("figures/specs/" + path.filename().string());
    INFO(path.filename().string());
    const figures::Words words(forms.labels, &forms.beside);
    draw_figure(spec, nullptr, words);
    for (const auto& reader : profiles) draw_figure(spec, &reader, words);
    if (spec.contains("finding")) words.tell(finding_of(spec));
    for (const auto& form : words.unsaid()) missing.emplace(form, path.filename().string());
  }
  return missing;
}

// Controls, and the text next to the figure.
void say_beside(const figures::models::Model& model, const figures::Words& words) {
  for (const auto& control : model.controls()) {
    words.say(control.label);
    words.say(control.unit);
    for (const auto& choice : control.choices) words.say(choice.label);
    for (const double value : {control.low, control.high})
      words.say(figures::models::value_text(control, value));
  }
}

Missing missing_in_models(const Forms& forms) {
  using namespace figures::models;
  Missing missing;
  const figures::Profile machine = support::profile("phone");
  for (const std::string_view name : model_names()) {
    const auto model = make_model(name);
    const auto numbers = numbers_for(*model, facts(), &machine, nullptr);
    REQUIRE(numbers);
    const figures::Words words(forms.labels, &forms.beside);
    say_beside(*model, words);
    for (const json& params : settings_of(*model)) {
      Player player;
      REQUIRE(player.load(name, params, *numbers));
      for (const int step : {first_step, paper_step, last_step}) {
        player.seek(step);
        for (const auto layout : {Layout::column, Layout::narrow}) {
          figures::Options options;
          options.width = layout;
          options.words = &words;
          const auto frame = player.draw(options);
          check::geometry(frame.rendering);
          words.tell(frame.rendering.description);
          words.say(frame.where);
        }
      }
    }
    for (const auto& form : words.unsaid()) missing.emplace(form, std::string(name));
  }
  return missing;
}

// For translators: MISSING_WORDS=FILE adds the missing strings to a file, ready to be filled in.
std::string list_of(const Missing& missing) {
  std::string list;
  for (const auto& [form, who] : missing) list += json(form).dump() + ": \"\",  (" + who + ")\n";
  if (const char* file = std::getenv("MISSING_WORDS")) std::ofstream(file, std::ios::app) << list;
  return list;
}

}  // namespace

TEST_CASE("a label's form has a mark for each number", "[words]") {
  using figures::form_of;
  CHECK(form_of("2,048 rows of 16.5 KiB") == "# rows of # KiB");
  CHECK(form_of("H100, fp16.") == "H#, fp#.");
  CHECK(form_of("") == "");
  CHECK(form_of("1, 2") == "#, #");
  CHECK(figures::has_words("16 rows"));
  CHECK(figures::has_words("75 of 86 GB"));
  CHECK_FALSE(figures::has_words("3.35 TB/s, fp16, 2 MiB"));
}

TEST_CASE("a translated label keeps its numbers in order, with narrow spaces between thousands",
          "[words]") {
  const json forms = {{"# rows of # KiB", "filas: #, cada una de # KiB"},
                      {"so far", "hasta ahora"},
                      {",", "\u202F"}};
  const figures::Words words(forms);
  CHECK(words.say("65,536 rows of 2.5 KiB") == "filas: 65\u202F536, cada una de 2.5 KiB");
  CHECK(words.say("so far") == "hasta ahora");
  CHECK(words.say("so far.") == "so far.");
  CHECK(words.say("1 TB/s") == "1 TB/s");
  CHECK(words.say("idle") == "idle");
  CHECK(words.say("1,024") == "1024");
  CHECK(words.say("10,000") == "10\u202F000");
  CHECK(words.say("1,048,576.5 B, 2,048") == "1\u202F048\u202F576.5 B, 2048");
  CHECK(words.unsaid() == std::vector<std::string>{"so far.", "idle"});
}

// The page's scripts do the same (tests/site/runtime/page/drawing_words.test.mjs).
TEST_CASE("sentences are translated by their forms, in which a word with a digit includes its unit",
          "[words]") {
  const json cases = json::parse(support::read_source("tests/fixtures/sentence_forms.json"));
  for (const auto& [sentences, forms] : cases.items()) {
    std::vector<std::string> found;
    for (const auto sentence : figures::sentences_of(sentences))
      found.push_back(figures::sentence_form(sentence).form);
    CHECK(found == forms.get<std::vector<std::string>>());
  }
  const json none = json::object(),
             beside = {{"The # needs #.", "La # necesita #."}, {"It fits:", "Cabe:"}};
  const figures::Words words(none, &beside);
  CHECK(words.tell("The H100 needs 12 ms. It fits: 3.5 GB.") ==
        "La H100 necesita 12 ms. Cabe: 3.5 GB.");
  CHECK(words.unsaid().empty());
  CHECK(words.tell("The H100 needs 12 ms. It does not fit.") == std::nullopt);
  CHECK(words.unsaid() == std::vector<std::string>{"It does not fit."});
}

TEST_CASE(
    "every label of every figure has a Spanish translation that fits, and so has every finding",
    "[words]") {
  const std::string missing = list_of(missing_in_figures(Forms("es")));
  if (is_full()) CHECK(missing == "");
  else if (!missing.empty())
    WARN("only a full run demands these strings of site/locales/es.json:\n" << missing);
}

TEST_CASE(
    "every label of every model is said in Spanish under each setting and fits, and so is what "
    "stands beside it",
    "[words][slow]") {
  CHECK(list_of(missing_in_models(Forms("es"))) == "");
}
