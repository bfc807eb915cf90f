// The allowed values of SVG attributes and properties, one by one.
#include "generator/core/pictures/svg_value.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// "name=value;…" for the accepted values, or the error.
std::string written(const figures::Status& status, const SvgProperties& to) {
  if (!status) return status.error().message;
  std::string out;
  for (const auto& [name, value] : to) out += (out.empty() ? "" : ";") + name + "=" + value;
  return out;
}
std::string attribute(std::string_view name, std::string_view value) {
  SvgProperties to;
  return written(take_svg_attribute(name, value, to), to);
}
std::string property(std::string_view name, std::string_view value) {
  SvgProperties to;
  return written(take_svg_property(name, value, to), to);
}
bool taken(std::string_view name, std::string_view value) {
  return attribute(name, value) == std::string(name) + "=" + std::string(value);
}

}  // namespace

TEST_CASE("svg value: numbers, words, and transforms in a place's attributes", "[svg]") {
  for (const char* value : {"1.5e-3,+2%", "translate(1 2) scale(3)", "matrix(1,0,0,1,0,0)",
                            "rotate(5)\tskewX(1)", "skewY(2)", "a_b", "M0 0z", ""})
    CHECK(taken("d", value));
  for (const char* value :
       {"1;2", "url(1)", "x-rotate(1)", "x_rotate(1)", "1rotate(1)", "rotate(scale(1))", "rotate(1",
        "rotate 1)", "(1)", "1:2", "a/b", "'a'", "#a", "µ", "rotatex(1)", "&", "rotate(1))"}) {
    INFO(value);
    CHECK_FALSE(taken("transform", value));
  }
  CHECK(attribute("d", " M0 0 ") == "d=M0 0");
  CHECK(attribute("x", "1;2") == "x \"1;2\" is not a value that can be published");
  CHECK(attribute("x", "url(#a)") ==
        "x \"url(#a)\" must refer to a place in the file, written url(#id)");
  CHECK(attribute("x", "image(a)").find("must refer to a place") != std::string::npos);
}

TEST_CASE("svg value: paints are colours, words, and places with a colour behind", "[svg]") {
  for (const char* value :
       {"#fff", "red", "rgb(1,2,3)", "rgba(1,2,3,.5)", "hsl(1 2% 3%)", "hsla(1,2%,3%,1)", "url(#a)",
        "url(#a) red", "none", "url(#a.b:c-d_1) #fff"})
    CHECK(taken("fill", value));
  CHECK(attribute("fill", "url( \"#a\" )") == "fill=url(#a)");
  CHECK(attribute("fill", "url('#a') red") == "fill=url(#a) red");
  for (const char* value :
       {"url(a)", "url(#)", "url(#a", "url('#a)", "url(\"#a')", "url(#a b)", "url(http://x)",
        "translate(1)", "url(#a) url(#b)", "red url(#a)", "url(')", "rgb(#a", "URL(#a)"}) {
    INFO(value);
    CHECK(attribute("stroke", value).find("stroke \"") == 0);
  }
}

TEST_CASE("svg value: references are a place, none or inherited", "[svg]") {
  CHECK(taken("mask", "url(#a)"));
  CHECK(taken("clip-path", "none"));
  CHECK(taken("marker-mid", "inherit"));
  for (const char* value : {"url(#a) red", "red", "", "url(#a) none", "url(x#a)"}) {
    INFO(value);
    CHECK_FALSE(taken("mask", value));
  }
  CHECK(property("marker", "url(#a)") ==
        "marker-end=url(#a);marker-mid=url(#a);marker-start=url(#a)");
  CHECK(property("marker", "red") == "marker-start \"red\" is not a value that can be published");
}

TEST_CASE("svg value: words have neither functions nor colours", "[svg]") {
  CHECK(taken("stroke-dasharray", "5, 2%"));
  CHECK_FALSE(taken("font-size", "calc(1px)"));
  CHECK_FALSE(taken("opacity", "#5"));
  CHECK(taken("font-family", "'DejaVu Sans', \"A & B\", Ünicode-1_2.+"));
  for (const char* value : {"a;b", "a(b)", "a:b", "a/b", "a<b", "a\\b"})
    CHECK_FALSE(taken("font-family", value));
}

TEST_CASE("svg value: values without effect are dropped, others are errors", "[svg]") {
  CHECK(property("line-height", "1.2") == "");
  CHECK(property("-inkscape-stroke", "none") == "");
  CHECK(property("filter", "none") == "");
  CHECK(property("mix-blend-mode", "normal") == "");
  CHECK(property("filter", "url(#a)") ==
        "filter \"url(#a)\" cannot be published: remove it, or save the image as PNG");
  CHECK(property("text-indent", "1") != "");
  CHECK(property("behavior", "x") ==
        "the property \"behavior\" cannot be published: remove it, or save the file as plain SVG");
  CHECK(attribute("onclick", "x") == "it contains the handler onclick: images cannot run scripts");
  CHECK(attribute("unknown", "x") == "");
  CHECK(property("x", "1") != "");  // a position attribute is not a property
}

TEST_CASE("svg value: a font is its parts", "[svg]") {
  CHECK(property("font", "italic 700 10px/1.2 'DejaVu Sans', serif") ==
        "font-family='DejaVu Sans', serif;font-size=10px;font-stretch=normal;font-style=italic;"
        "font-variant=normal;font-weight=700");
  CHECK(property("font", "small-caps bold semi-condensed .5em x") ==
        "font-family=x;font-size=.5em;font-stretch=semi-condensed;font-style=normal;"
        "font-variant=small-caps;font-weight=bold");
  CHECK(property("font", "normal expanded oblique\tlighter 9pt x") ==
        "font-family=x;font-size=9pt;font-stretch=expanded;font-style=oblique;"
        "font-variant=normal;font-weight=lighter");
  for (const char* value : {"", "10px", "bold", "10px ", "caption", "fancy 10px x", "10px a;b"}) {
    INFO(value);
    CHECK(property("font", value).find("font") == 0);
    CHECK(property("font", value).find("is not a value") != std::string::npos);
  }
}

TEST_CASE("svg value: an excerpt is whole characters, an id is plain", "[svg]") {
  const std::string sixty(60, 'a');
  CHECK(svg_excerpt(sixty) == sixty);
  CHECK(svg_excerpt(sixty + "b") == sixty + "…");
  CHECK(svg_excerpt(std::string(59, 'a') + "µb") == std::string(59, 'a') + "…");
  CHECK(svg_excerpt(std::string(58, 'a') + "µb") == std::string(58, 'a') + "µ…");
  for (const char* id : {"a", "A1", "_.:-"}) CHECK(is_svg_id(id));
  for (const char* id : {"", "a b", "a)", "µ", "a#"}) CHECK_FALSE(is_svg_id(id));
}
