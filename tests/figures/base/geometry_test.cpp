// Every figure of the book, for every kind of machine, at both widths.
#include <zlib.h>
#include <algorithm>
#include <filesystem>

#include "render_check.hpp"

namespace {

using figures::Layout;
using figures::Theme;

const std::vector<std::string> machines = {"phone", "big", "bare", "contrary", "empty", "gpu"};

figures::Profile reference() {
  auto parsed =
      figures::parse_profile(support::read_source("tests/fixtures/figures/reference.json"));
  REQUIRE(parsed);
  return *parsed;
}

figures::Facts book_facts() {
  figures::Facts facts;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_ROOT "/chapters/facts")) {
    const std::string name = entry.path().filename().string();
    if (name == "references.json" || name == "glossary.json" || name == "configs.json") continue;
    REQUIRE(facts.load(nlohmann::json::parse(support::read_source("chapters/facts/" + name))));
  }
  return facts;
}

struct Spec {
  std::string name;
  nlohmann::json json;
};

std::vector<Spec> all_specs() {
  std::vector<Spec> out;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_ROOT "/figures/specs")) {
    const std::string name = entry.path().filename().string();
    out.push_back({name, nlohmann::json::parse(support::read_source("figures/specs/" + name))});
  }
  return out;
}

std::size_t gzip_size(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), text.size(), 9);
  return size;
}

}  // namespace

TEST_CASE("every figure keeps to the page for every machine", "[figures]") {
  const figures::Facts facts = book_facts();
  const figures::Catalogue catalogue = support::catalogue();
  const figures::Profile base = reference();
  std::vector<std::optional<figures::Profile>> readers{std::nullopt, base};
  for (const std::string& name : machines) readers.push_back(support::profile(name));
  readers.push_back(
      *figures::parse_profile(support::read_source("figures/profiles/reference-chromium.json")));
  for (const Spec& spec : all_specs()) {
    for (std::size_t i = 0; i < readers.size(); ++i) {
      std::string both;
      for (const Layout layout : {Layout::wide, Layout::narrow}) {
        INFO(spec.name << " reader " << i << (layout == Layout::narrow ? " narrow" : " wide"));
        figures::Options options;
        options.width = layout;
        const auto drawing = figures::render(
            spec.json, {&facts, &base, readers[i] ? &*readers[i] : nullptr, &catalogue}, options);
        INFO((drawing ? std::string() : drawing.error().message));
        REQUIRE(drawing);
        check::geometry(*drawing);
        check::labels_apart(*drawing);
        check::nothing_struck_through(*drawing);
        INFO((drawing->omitted.empty() ? std::string() : drawing->omitted.front()));
        CHECK(drawing->omitted.empty());
        both += drawing->svg;
      }
      CHECK(gzip_size(both) <= 6 * 1024);
    }
  }
}

TEST_CASE("a figure keeps its size whoever's machine it shows", "[figures]") {
  const figures::Facts facts = book_facts();
  const figures::Catalogue catalogue = support::catalogue();
  const figures::Profile base = reference(), big = support::profile("big");
  for (const Spec& spec : all_specs()) {
    const auto alone = figures::render(spec.json, {&facts, &base, nullptr, &catalogue}, {});
    const auto with_reader = figures::render(spec.json, {&facts, &base, &big, &catalogue}, {});
    const auto nobody = figures::render(spec.json, {&facts, nullptr, nullptr, &catalogue}, {});
    INFO(spec.name);
    REQUIRE(alone);
    REQUIRE(with_reader);
    REQUIRE(nobody);
    CHECK(alone->height == with_reader->height);
    CHECK(alone->width == with_reader->width);
    // The height of a wall depends on the reference machine's rates.
    if (spec.json["kind"] != "wall") CHECK(alone->height == nobody->height);
  }
}

TEST_CASE("text colours of the resolved themes can be read", "[figures]") {
  const auto channel = [](std::string_view hex, std::size_t at) {
    const double c = std::stoi(std::string(hex.substr(at, 2)), nullptr, 16) / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto luminance = [&](std::string_view hex) {
    return 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
  };
  for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
    const figures::Palette& p = figures::palette(theme);
    for (const std::string_view text :
         {p.ink, p.ink_soft, p.bandwidth, p.compute, p.reader, p.reference, p.teal, p.ochre,
          p.bandwidth_bar, p.compute_bar}) {
      const double a = luminance(text), b = luminance(p.paper);
      INFO(text << " on " << p.paper);
      CHECK((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5);
    }
  }
}

TEST_CASE("the light and dark themes are the style sheet's", "[figures]") {
  const std::string css = support::read_source("site/styles/colours.css");
  const std::vector<std::string> names = {
      "ink",       "ink-soft", "paper", "rule", "bandwidth",     "compute",    "reader",
      "reference", "teal",     "ochre", "grid", "bandwidth-bar", "compute-bar"};
  for (const Theme theme : {Theme::light, Theme::dark}) {
    const auto colors = figures::colours_of(figures::palette(theme));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string rule = "--" + names[i] + ": " + std::string(colors[i]) + ";";
      INFO(rule);
      CHECK(css.find(rule) != std::string::npos);
    }
  }
}

TEST_CASE("boxes that touch are apart, boxes that share a point inside are not", "[figures]") {
  const figures::Box box{0, 0, 10, 10};
  for (const figures::Box& beside :
       {figures::Box{10, 0, 20, 10}, {-10, 0, 0, 10}, {0, 10, 10, 20}, {0, -10, 10, 0}}) {
    CHECK(figures::apart(box, beside));
    CHECK(figures::apart(beside, box));
  }
  for (const figures::Box& over :
       {figures::Box{9, 0, 20, 10}, {-10, 0, 1, 10}, {0, 9, 10, 20}, {0, -10, 10, 1}, {2, 2, 3, 3}})
    CHECK_FALSE(figures::apart(box, over));
}
