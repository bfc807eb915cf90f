// The published form of a contributor's SVG file. tests/site/svg_image.test.mjs checks the same in
// browsers.
#include "generator/core/pictures/svg_image.hpp"

#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

const std::string names =
    "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";

std::string cleaned(const std::string& file) {
  const auto image = primer::clean_svg(file);
  return image ? image->bytes : "refused: " + image.error().message;
}

// The lines inside the root element, or the error.
std::string inside(const std::string& content) {
  const std::string whole = cleaned("<svg " + names + ">" + content + "</svg>");
  if (!whole.starts_with("<svg")) return whole;
  const auto begin = whole.find(">\n");
  return begin == whole.npos ? "" : whole.substr(begin + 2, whole.rfind("</svg>") - begin - 2);
}

bool refused(const std::string& content, const std::string& why) {
  const std::string result = inside(content);
  INFO(content << "\n" << result);
  const bool as_said = result.starts_with("refused: ") && result.find(why) != result.npos;
  CHECK(as_said);
  return as_said;
}

std::string fixture(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(PRIMER_SOURCE "/tests/fixtures/images/" + name, std::ios::binary).rdbuf();
  return text.str();
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("svg: the output is the same each time") {
  const std::string written = cleaned(
      "<?xml version='1.0' encoding='UTF-8'?>\n<!-- c --><!DOCTYPE svg><svg width='9'\n height='9' " +
      names +
      "><g  id='a' ><path d='M0 0\nL1 1' fill=\"red\"/></g><use href='#b'/>"
      "<circle id='b' r='2'/><text x='1'>a &lt; <![CDATA[b & ]]><!-- c -->c</text></svg>\n");
  CHECK(
      written ==
      "<svg height=\"9\" width=\"9\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n"
      "<g>\n<path d=\"M0 0 L1 1\" fill=\"red\"/>\n</g>\n<use xlink:href=\"#b\"/>\n<circle id=\"b\" r=\"2\"/>\n"
      "<text x=\"1\">a &lt; b &amp; c</text>\n</svg>\n");
  CHECK(cleaned(written) == written);
}

TEST_CASE("svg: other encodings are refused, whatever they hide") {
  const std::string script =
      "<?xml version=\"1.0\" encoding=\"ISO-2022-JP\"?><svg " + names +
      "><title>x\x1B$B<!--\x1B(B</title>"
      "<script>alert(document.domain)</script><title>\x1B$B!-->\x1B(B</title></svg>";
  CHECK(cleaned(script).starts_with("refused: "));
  for (const char* encoding :
       {"ISO-2022-JP", "UTF-16", "UTF-7", "utf-16le", "windows-1252", "ISO-8859-1", ""}) {
    CHECK(holds(cleaned("<?xml version=\"1.0\" encoding=\"" + std::string(encoding) + "\"?><svg " +
                        names + "/>"),
                "encoding is not UTF-8"));
  }
  CHECK(cleaned("\xEF\xBB\xBF<svg " + names + "/>") ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n");
  for (const char* bad : {"\x1B", "\x01", "\x7F", "\xC2\x85", "\xEF\xBF\xBF", "\xEF\xB7\x90",
                          "\xED\xA0\x80", "\xC0\xBC", "\xFF", "\xE2\x80\xAE", "\xE2\x81\xA6",
                          "\xE2\x80\x8B", "\xF0\x9F\xBF\xBE", "\xF4\x90\x80\x80"}) {
    INFO(bad);
    CHECK(
        refused("<title>x" + std::string(bad) + "</title>", "character that cannot be published"));
  }
  for (const char* reference : {"&#xFFFF;", "&#27;", "&#x202E;", "&#xD800;"}) {
    CHECK(refused("<title>" + std::string(reference) + "</title>",
                  "character that cannot be published"));
    CHECK(refused("<text font-family='" + std::string(reference) + "'>a</text>",
                  "character that cannot be published"));
  }
}

TEST_CASE("svg: metadata and foreign elements are left out") {
  CHECK(
      inside(
          "<!-- <script>x</script> --><?xml-stylesheet href='http://evil.example/'?><metadata><script/></metadata>"
          "<i:namedview xmlns:i='urn:i' onload='x'><i:script/></i:namedview>"
          "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>alert(1)</h:script>"
          "<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>"
          "<h:style xmlns:h='http://www.w3.org/1999/xhtml'>@import 'http://evil.example/'</h:style>"
          "<g i:label='x' xmlns:i='urn:i' data-x='1' aria-label='y' tabindex='0' xlink:title='z' xml:base='http://evil.example/'/>") ==
      "<g/>\n");
  CHECK(
      inside(
          "<a xlink:href='javascript:alert(1)' target='_top'><rect/></a><text><a href='https://example.org'>b</a></text>") ==
      "<g>\n<rect/>\n</g>\n<text><tspan>b</tspan></text>\n");
}

TEST_CASE("svg: what could act is refused") {
  CHECK(refused("<script>alert(1)</script>", "it contains a <script>"));
  CHECK(refused("<s:script xmlns:s='http://www.w3.org/2000/svg'/>", "it contains a <script>"));
  CHECK(refused("<foreignObject/>", "it contains a <foreignObject>: in draw.io"));
  CHECK(refused("<filter/>", "it contains a <filter>: remove blurs"));
  CHECK(refused("<image href='data:image/png;base64,AA'/>", "save the whole image as PNG"));
  CHECK(refused("<set attributeName='href'/>", "images cannot be animated"));
  CHECK(refused("<animate/>", "images cannot be animated"));
  CHECK(refused("<iframe/>", "it contains a <iframe>"));
  CHECK(refused("<SCRIPT/>", "it contains a <SCRIPT>"));
  CHECK(refused("<g onload='x'/>", "it contains the handler onload"));
  CHECK(refused("<g filter='url(#f)'/>", "cannot be published"));
  CHECK(refused("<use href='other.svg#x'/>", "a place in the file"));
  CHECK(refused("<use xlink:href='data:image/svg+xml,x#x'/>", "a place in the file"));
  CHECK(refused("<linearGradient href=' https://evil.example/#x'/>", "a place in the file"));
  CHECK(refused("<g i:x='1'/>", "the prefix \"i\" is not declared"));
  CHECK(refused("<g id='a' id='b'/>", "duplicate attribute"));
  CHECK(refused("<g/></svg><svg " + names + ">", "more than one root"));
  CHECK(cleaned("<svg/>").starts_with("refused: its root element needs xmlns="));
  CHECK(cleaned("<html " + names + "/>") == "refused: its root element is not <svg>");
  CHECK(cleaned("").starts_with("refused: it is not well-formed"));
  CHECK(cleaned("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg " + names + "/>")
            .starts_with("refused: the DOCTYPE declares"));
}

TEST_CASE("svg: every value that could load is refused") {
  for (const char* value : {"url(https://evil.example/)",
                            "url('https://evil.example/')",
                            "url(x.svg#a)",
                            "url( x )",
                            "image-set('https://evil.example/' 1x)",
                            "image(#a)",
                            "ur/**/l(https://evil.example)",
                            "url",
                            "\\75rl(https://evil.example)",
                            "u\\72 l(#a)",
                            "var(--a)",
                            "src('x')",
                            "url(#a)url(x)",
                            "url(#a b)",
                            "URL(https://evil.example)",
                            "x-url(y)",
                            "rgb(url(x))",
                            "red;fill:url(x)",
                            "url(#a",
                            "attr(x)"}) {
    if (std::string(value) == "url") continue;  // a word like any other
    for (const char* name : {"fill", "stroke", "clip-path", "mask", "marker-mid", "stroke-width",
                             "d", "transform", "font-family"}) {
      INFO(name << ' ' << value);
      const std::string written = inside("<g " + std::string(name) + "=\"" + value + "\"/>");
      CHECK(written.starts_with("refused: "));
      if (std::string(value).find(';') != std::string::npos) continue;
      CHECK(inside("<g style=\"" + std::string(name) + ":" + value + "\"/>")
                .starts_with("refused: "));
      CHECK(inside("<style>g{" + std::string(name) + ":" + value + "}</style>")
                .starts_with("refused: "));
    }
  }
  CHECK(refused("<style>@im<![CDATA[port 'https://evil.example/';]]></style>",
                "the rule for \"@import"));
  CHECK(refused("<style>@import 'https://evil.example/'; g{fill:red}</style>",
                "the rule for \"@import"));
  CHECK(refused("<style>@font-face{font-family:a}</style>", "the rule for \"@font-face\""));
  CHECK(refused("<style>*{fill:ur<!-- -->l(https://evil.example/)}</style>",
                "must refer to a place in the file"));
}

TEST_CASE("svg: styles become attributes, the more special over the less") {
  CHECK(
      inside(
          "<style>.a{fill:green} .b{fill:lime} #i{fill:blue} rect{fill:yellow} *{fill:red;stroke:none}</style>"
          "<g fill='black'/><rect/><rect class='a'/><rect class='b a'/><rect class='b' id='i'/>"
          "<rect id='i' style='fill:white;'/>") ==
      "<g fill=\"red\" stroke=\"none\"/>\n<rect fill=\"yellow\" stroke=\"none\"/>\n<rect fill=\"green\" stroke=\"none\"/>\n"
      "<rect fill=\"lime\" stroke=\"none\"/>\n<rect fill=\"blue\" stroke=\"none\"/>\n<rect fill=\"white\" stroke=\"none\"/>\n");
  CHECK(
      inside(
          "<style>g, .x , #y { Fill : #FFF ; /* ; } */ stroke:url( '#p' ) red }</style><g/><rect class='x'/><rect id='y'/>") ==
      "<g fill=\"#FFF\" stroke=\"url(#p) red\"/>\n<rect fill=\"#FFF\" stroke=\"url(#p) red\"/>\n<rect fill=\"#FFF\" stroke=\"url(#p) red\"/>\n");
  CHECK(
      inside(
          "<text style=\"font: italic 700 10px/1.2 'DejaVu Sans', serif; text-anchor: middle\">a</text>") ==
      "<text font-family=\"'DejaVu Sans', serif\" font-size=\"10px\" font-stretch=\"normal\" font-style=\"italic\" "
      "font-variant=\"normal\" font-weight=\"700\" text-anchor=\"middle\">a</text>\n");
  CHECK(
      inside(
          "<path style='marker:none;-inkscape-stroke:none;line-height:1.2;filter:none;mix-blend-mode:normal'/>") ==
      "<path marker-end=\"none\" marker-mid=\"none\" marker-start=\"none\"/>\n");
  for (const char* rule : {"g rect{}", "g>rect{}", "rect:hover{}", "[x]{}",
                           "@media print{g{fill:red}}", "g{", "g.a{}", "<!-- g{} -->"}) {
    CHECK(inside("<style>" + std::string("<![CDATA[") + rule + "]]></style>")
              .starts_with("refused: the rule"));
  }
  CHECK(refused("<g style='behavior:x'/>", "the property \"behavior\" cannot be published"));
  CHECK(refused("<g style='fill'/>", "missing colon"));
  CHECK(refused("<g style='fill:red !important'/>", "not a value"));
  CHECK(refused("<g style='mix-blend-mode:multiply'/>", "cannot be published: remove it"));
}

TEST_CASE("svg: elements count once per time they are drawn") {
  const std::string many = "more than 5000 elements: simplify";
  CHECK(refused(repeated("<g/>", 5000), many));
  CHECK_FALSE(inside(repeated("<g/>", 4999)).starts_with("refused"));
  std::string nested = "<g id='a0'><rect/></g>";
  for (int i = 1; i < 10; ++i) {
    nested += "<g id='a" + std::to_string(i) + "'>" +
              repeated("<use href='#a" + std::to_string(i - 1) + "'/>", 10) + "</g>";
  }
  CHECK(refused(nested, many));
  std::string masks = "<mask id='m0'><rect/></mask>";
  for (int i = 1; i < 15; ++i) {
    masks += "<mask id='m" + std::to_string(i) + "'>" +
             repeated("<g mask='url(#m" + std::to_string(i - 1) + ")'/>", 2) + "</mask>";
  }
  CHECK(refused(masks, many));
  const std::string hundred = repeated("<rect/>", 100);
  for (const std::string& target :
       {"<pattern id='p'>" + hundred + "</pattern>" + repeated("<rect fill='url(#p)'/>", 50),
        "<clipPath id='p'>" + hundred + "</clipPath>" + repeated("<g clip-path='url(#p)'/>", 50),
        "<marker id='p'>" + hundred + "</marker>" + repeated("<path marker-mid='url(#p)'/>", 50),
        "<g id='p'>" + hundred + "</g>" + repeated("<use href='#p'/>", 50)})
    CHECK(refused(target, many));
  CHECK_FALSE(inside("<g id='p'>" + hundred + "</g>" + repeated("<use href='#p'/>", 40))
                  .starts_with("refused"));
  // A gradient draws nothing itself.
  CHECK_FALSE(inside("<linearGradient id='p'><stop/><stop/></linearGradient>" +
                     repeated("<rect fill='url(#p)'/>", 4000))
                  .starts_with("refused"));
}

TEST_CASE("svg: references are not deeper than a limit, and run in no circle") {
  const auto chain = [](int links) {
    std::string all = "<g id='a0'/>";
    for (int i = 1; i <= links; ++i)
      all = "<g id='a" + std::to_string(i) + "'><use href='#a" + std::to_string(i - 1) + "'/></g>" +
            all;
    return all;
  };
  const std::string deep = "refer to each other more than 20 deep";
  CHECK_FALSE(inside(chain(20)).starts_with("refused"));
  CHECK(refused(chain(21), deep));
  CHECK(refused("<g id='a'><use href='#a'/></g>", deep));
  CHECK(refused("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>", deep));
  CHECK(refused("<pattern id='a'><rect fill='url(#a)'/></pattern>", deep));
  CHECK(refused("<g id='a'>" + repeated("<use href='#a'/>", 10) + "</g>", "deep"));
  CHECK(refused("<g id='a'/><g id='a'/><use href='#a'/>", "duplicate id \"a\""));
  CHECK(inside("<g id='a'/><g id='a'/>") == "<g/>\n<g/>\n");
}

TEST_CASE("svg: size and depth are bounded") {
  CHECK(holds(cleaned(std::string(1'000'001, ' ')), "more than 1000000 bytes"));
  CHECK(refused(repeated("<g>", 101) + repeated("</g>", 101), "nested more than 100 deep"));
  CHECK(refused(repeated("<g>", 100'000), "not well-formed"));
  CHECK(refused(repeated("<g>", 100'000) + repeated("</g>", 100'000), "nested more than 100 deep"));
  CHECK(refused(
      "<style>*{font-family:" + std::string(900'000, 'a') + "}</style>" + repeated("<g/>", 1000),
      "style sheet is written out"));
  const std::string path = "<path d='M" + repeated("7 ", 99'999);
  CHECK_FALSE(inside(path + "'/>").starts_with("refused"));
  CHECK(refused(path + "7 7'/>", "the attribute has more than 200000 bytes"));
  std::string attributes;
  for (int i = 0; i < 101; ++i) attributes += " a" + std::to_string(i) + "='1'";
  CHECK(refused("<g" + attributes + "/>", "more than 100 attributes"));
  CHECK(
      holds(cleaned("<svg width='0' height='3' " + names + "/>"), "not a size that can be drawn"));
}

TEST_CASE("svg: files of drawing programs pass") {
  for (const char* name :
       {"matplotlib.svg", "matplotlib_text.svg", "graphviz.svg", "inkscape.svg"}) {
    const std::string file = fixture(name);
    INFO(name);
    REQUIRE(file.size() > 500);
    const std::string written = cleaned(file);
    INFO(written);
    CHECK(written.starts_with("<svg "));
    CHECK(cleaned(written) == written);
    for (const char* gone : {"<!", "<?", " style=", "<style", "class", "metadata", "inkscape",
                             "sodipodi", "rdf", "example.org"}) {
      CHECK_FALSE(holds(written, gone));
    }
  }
  CHECK(holds(cleaned(fixture("matplotlib.svg")), "stroke-linejoin=\"round\""));
  CHECK(holds(cleaned(fixture("graphviz.svg")), "fill=\"url(#"));
  CHECK(holds(cleaned(fixture("inkscape.svg")), "marker-end=\"url(#TriangleStart)\""));
}

TEST_CASE("svg: an error has its place in the drawing, and names the page that shows it") {
  auto files = small_book::with("![A dot](dot.svg)\n");
  files["chapters/en/dot.svg"] =
      "<svg " + names + ">\n <g>\n  <script>alert(1)</script>\n </g>\n</svg>\n";
  CHECK(small_book::build(files).errors ==
        "chapters/en/dot.svg:3:4: error: it contains a <script>: images cannot run scripts "
        "[bad-image]\n"
        "    <script>alert(1)</script>\n     ^^^^^^\n"
        "  note: used at chapters/en/01-first.md:4\n1 error\n");
  files["chapters/en/dot.svg"] =
      "<svg " + names + ">\n<style>\n g { fill: red }\n g { fill: url(x) }</style></svg>\n";
  CHECK(small_book::build(files).errors.starts_with(
      "chapters/en/dot.svg:4:6: error: fill \"url(x)\" must refer to"));
  files["chapters/en/dot.svg"] = "<svg " + names + "><g\n style='fill:red;x:y'/></svg>\n";
  CHECK(small_book::build(files).errors.starts_with(
      "chapters/en/dot.svg:2:2: error: the property \"x\""));
  files["chapters/en/dot.svg"] = "<svg " + names + ">\n<text>\xE2\x80\xAE\x1B[31m</text></svg>\n";
  const std::string errors = small_book::build(files).errors;
  CHECK(errors.starts_with("chapters/en/dot.svg:2:7: error: there is a character"));
  CHECK_FALSE(holds(errors, "\x1B"));
  CHECK_FALSE(holds(errors, "\xE2\x80\xAE"));
}

TEST_CASE("svg: the page and the e-book show what was written, not the file") {
  auto files = small_book::with("![A dot](dot.svg)\n");
  files["chapters/en/dot.svg"] =
      "<!-- x --><svg " + names + "><metadata>secret</metadata><rect width='3'/></svg>\n";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(built.site.at("images/en/dot.svg") ==
        "<svg xmlns=\"http://www.w3.org/2000/svg\">\n<rect width=\"3\"/>\n</svg>\n");
}
