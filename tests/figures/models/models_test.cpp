// Compares every model with its closed form over random parameters, in one test for all models.
#include <algorithm>
#include <random>

#include "figures/models/chips.hpp"
#include "figures/models/render.hpp"
#include "render_check.hpp"
#include "rounds.hpp"

namespace {

using namespace figures::models;

const int sets = rounds("SETS", 200, 1000);

// The world of the models in these tests: the book's facts and a machine like the reference.
const figures::Facts& book_facts() {
  static const figures::Facts facts = [] {
    figures::Facts all;
    for (const char* name :
         {"assumptions", "chips", "claims", "energy", "links", "models", "runs"}) {
      const std::string path = std::string("chapters/facts/") + name + ".json";
      REQUIRE(all.load(nlohmann::json::parse(support::read_source(path))));
    }
    return all;
  }();
  return facts;
}

Numbers numbers(const Model& model) {
  const figures::Profile machine = support::profile("phone");
  const auto found = numbers_for(model, book_facts(), &machine, nullptr);
  INFO((found ? std::string() : found.error().message));
  REQUIRE(found);
  return *found;
}

// std::mt19937 is the same everywhere; the standard distributions are not.
double random_value(const Control& control, std::mt19937& random) {
  const double span = control.high - control.low + 1;
  if (!control.doubling)
    return control.low + static_cast<double>(random() % static_cast<unsigned>(span));
  int doublings = 0;
  for (double at = control.low; at * 2 <= control.high; at *= 2) ++doublings;
  return control.low * static_cast<double>(1u << random() % static_cast<unsigned>(doublings + 1));
}

std::vector<double> random_values(const Model& model, std::mt19937& random) {
  std::vector<double> values;
  for (const Control& control : model.controls()) values.push_back(random_value(control, random));
  return values;
}

std::string settings_text(const Model& model, const std::vector<double>& values) {
  std::string text(model.name());
  for (std::size_t i = 0; i < values.size(); ++i)
    text += " " + std::string(model.controls()[i].id) + "=" + std::to_string(values[i]);
  return text;
}

void check_counts(const Model& model) {
  for (const Count& count : model.counts()) {
    INFO(count.name << ": " << count.counted << ", closed form " << count.low << " to "
                    << count.high);
    const double slack = 1e-9 * std::max(std::abs(count.low), std::abs(count.high));
    CHECK(count.counted >= count.low - slack);
    CHECK(count.counted <= count.high + slack);
  }
}

// Runs to the end. Checks invariants after each of the first steps, then occasionally.
void run_checked(Model& model) {
  const int length = model.length();
  REQUIRE(length >= 0);
  REQUIRE(length <= 1'000'000);
  const int stride = std::max(1, length / 50);
  for (int step = 0; step < length; ++step) {
    if (step < 20 || step % stride == 0) REQUIRE(model.broken() == "");
    model.step();
  }
  REQUIRE(model.broken() == "");
}

}  // namespace

TEST_CASE("every model counts what its closed form says", "[slow]") {
  for (const std::string_view name : model_names()) {
    const auto model = make_model(name);
    const Numbers known = numbers(*model);
    std::mt19937 random(1);
    for (int set = 0; set < sets; ++set) {
      const std::vector<double> values = random_values(*model, random);
      INFO(settings_text(*model, values));
      model->reset(values, known);
      run_checked(*model);
      check_counts(*model);
    }
  }
}

TEST_CASE("models draw within the sheet, at any step, in both layouts", "[models]") {
  for (const std::string_view name : model_names()) {
    const auto model = make_model(name);
    CHECK(model->name() == name);
    const Numbers known = numbers(*model);
    std::mt19937 random(2);
    for (int set = 0; set < 12; ++set) {
      std::vector<double> values;
      for (const Control& control : model->controls()) values.push_back(control.initial);
      if (set > 0) values = random_values(*model, random);
      INFO(settings_text(*model, values));
      model->reset(values, set == 11 ? Numbers{known.facts, {}} : known);
      const int length = model->length();
      CHECK(model->first() <= length);
      CHECK(model->on_paper() <= length);
      model->advance(set % 3 == 0 ? model->first() : set % 3 == 1 ? length : length / 3);
      for (const auto layout : {figures::Layout::column, figures::Layout::narrow}) {
        figures::Options options;
        options.width = layout;
        const figures::Rendering drawing = model->draw(options);
        check::geometry(drawing);
        check::nothing_struck_through(drawing, check::Halo::no);
      }
    }
  }
}

TEST_CASE("models show the same under new settings as a new model", "[models]") {
  for (const std::string_view name : model_names()) {
    const auto kept = make_model(name);
    const Numbers known = numbers(*kept);
    std::mt19937 random(3);
    std::vector<double> values;
    for (const Control& control : kept->controls()) values.push_back(control.initial);
    for (std::size_t moved = 0; moved <= values.size(); ++moved) {
      if (moved > 0) values[moved - 1] = random_values(*kept, random)[moved - 1];
      INFO(settings_text(*kept, values));
      const auto fresh = make_model(name);
      CHECK(kept->reset(values, known) == fresh->reset(values, known));
      for (Model* model : {kept.get(), fresh.get()}) model->advance(model->first());
      const auto drawn = kept->draw({}), expected = fresh->draw({});
      CHECK(drawn.svg == expected.svg);
      CHECK(drawn.description == expected.description);
      CHECK(drawn.table.rows == expected.table.rows);
    }
  }
}

TEST_CASE("parameters are clamped with a reason, unknown ones refused", "[models]") {
  const figures::Options options;
  const Numbers none;
  const auto drawn = render_model("cache-tiling", nlohmann::json::parse(R"({"n": 100, "tile": 5})"),
                                  first_step, none, options);
  REQUIRE(drawn);
  REQUIRE(drawn->notices.size() == 2);
  CHECK(drawn->notices[0].text == "n is at most 32, not 100: 32 is used");
  CHECK(drawn->notices[0].control == "n");
  CHECK(drawn->notices[1].text == "tile is a power of two, not 5: 4 is used");
  CHECK(drawn->notices[1].control == "tile");
  const auto wrong = render_model("cache-tilling", nullptr, 0, none, options);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "there is no model 'cache-tilling'");
  CHECK(wrong.error().suggestion == "cache-tiling");
  const auto unknown =
      render_model("cache-tiling", nlohmann::json::parse(R"({"tiel": 4})"), 0, none, options);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().suggestion == "tile");
  const auto choice = render_model("cache-tiling", nlohmann::json::parse(R"({"order": "tilled"})"),
                                   0, none, options);
  REQUIRE_FALSE(choice);
  CHECK(choice.error().message == "order has no choice 'tilled'");
  CHECK(choice.error().suggestion == "tiled");
}

namespace {

figures::models::Frame drawn(const char* name, const nlohmann::json& params, int step) {
  const auto model = make_model(name);
  auto frame = render_model(name, params, step, numbers(*model), figures::Options());
  REQUIRE(frame);
  return *frame;
}

}  // namespace

TEST_CASE("allreduce: every chunk is a square, filled as far as it is reduced", "[models]") {
  const auto frame = drawn("allreduce", {{"ranks", 8}}, 3);
  pugi::xml_document document;
  REQUIRE(document.load_string(frame.rendering.svg.c_str()));
  std::size_t squares = 0;
  for (const auto& found :
       document.select_nodes("//path[@stroke and not(@fill) and contains(@d, 'z')]")) {
    const auto sides = check::steps_of(found.node().attribute("d").value());
    if (sides.size() % 4 != 0) continue;
    for (std::size_t i = 0; i < sides.size(); i += 4) {
      figures::Point low = sides[i][0], high = low;
      for (std::size_t k = i; k < i + 4; ++k) {
        low = {std::min(low.x, sides[k][0].x), std::min(low.y, sides[k][0].y)};
        high = {std::max(high.x, sides[k][0].x), std::max(high.y, sides[k][0].y)};
      }
      CHECK_THAT(high.x - low.x, WithinAbs(high.y - low.y, 0.2));
      ++squares;
    }
  }
  CHECK(squares == 64);
}

TEST_CASE("datasheet: as many hollow dots as answers that are not printed", "[models]") {
  for (const int step : {4, 9, 10}) {
    const auto frame = drawn("datasheet", nlohmann::json::object(), step);
    pugi::xml_document document;
    REQUIRE(document.load_string(frame.rendering.svg.c_str()));
    const std::size_t hollow = document.select_nodes("//circle[@fill='var(--paper)']").size();
    INFO(frame.rendering.description);
    CHECK(frame.rendering.description.find(", " + std::to_string(hollow) +
                                           (hollow == 1 ? " is" : " are") + " not printed.") !=
          std::string::npos);
  }
}

TEST_CASE("cache-tiling: one order is that of tiles, and named after their size", "[models]") {
  const auto frame = drawn("cache-tiling", {{"tile", 8}}, 0);
  int tiles = 0;
  for (const auto& row : frame.rendering.table.rows) tiles += row.front() == "tiles of 8" ? 1 : 0;
  CHECK(tiles == 1);
}

TEST_CASE("layer-counter: products are nearly all of the arithmetic, not of the time", "[models]") {
  const auto frame = drawn("layer-counter", nlohmann::json::object(), paper_step);
  const std::string& words = frame.rendering.description;
  const std::string start = "Everything but matmuls: ", middle = " % of the FLOPs, ";
  const std::size_t at = words.find(start), then = words.find(middle);
  REQUIRE(at != words.npos);
  REQUIRE(then != words.npos);
  const double of_flops = std::stod(words.substr(at + start.size()));
  const double of_time = std::stod(words.substr(then + middle.size()));
  CHECK(of_flops > 0);
  CHECK(of_flops < 10);
  CHECK(of_time > of_flops);
  CHECK(of_time < 100);
}

TEST_CASE("a sentence begins with a capital, whatever letter that is", "[models]") {
  CHECK(capital("a machine") == "A machine");
  CHECK(capital("zeta") == "Zeta");
  CHECK(capital("H100") == "H100");
  CHECK(capital("{") == "{");
  CHECK(capital("") == "");
}

TEST_CASE("core-scaling: more cores than saturate the memory wait for it", "[models]") {
  const auto said = [](int knee) {
    const auto frame = drawn("core-scaling", {{"cores", 4}, {"knee", knee}, {"serial", 0}}, 1000);
    return frame.rendering.description;
  };
  CHECK(said(3).find("Cores beyond 3") != std::string::npos);
  CHECK(said(4).find("Every core helps.") != std::string::npos);
  CHECK(said(5).find("Every core helps.") != std::string::npos);
}
