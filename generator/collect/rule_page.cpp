#include "generator/collect/rule_page.hpp"

#include "generator/base/characters.hpp"
#include "generator/base/html.hpp"
#include "generator/base/text.hpp"
#include "generator/diagnostic/rule_example.hpp"

namespace primer {
namespace {

// Some examples are long because length is the mistake.
std::string shortened(const std::string& text) {
  constexpr std::size_t most_lines = 8, widest = 100;
  std::string out;
  std::size_t count = 0;
  const auto lines = split_lines(text);
  for (const auto line : lines) {
    if (++count > most_lines) return out + "… (" + std::to_string(lines.size()) + " lines)\n";
    std::size_t cut = std::min(line.size(), widest);
    const auto continues = [&](std::size_t at) {
      return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
    };
    while (cut > 0 && continues(cut)) --cut;
    out += std::string(line.substr(0, cut)) + (cut < line.size() ? "…\n" : "\n");
  }
  return out;
}

std::string shown(const std::string& text) {
  const std::string cut = shortened(text);
  std::string out;
  for (const auto line : split_lines(cut)) out += visible(line) + '\n';
  return out;
}

void code(Html& out, const std::string& label, const std::string& text) {
  out.element("p", {{"class", "label"}}, label).line();
  out.open("div", {{"class", "code"}})
      .open("pre", {{"tabindex", "0"}, {"role", "group"}, {"aria-label", label}});
  out.element("code", {{"class", "language-text"}}, shown(text)).close().close().line();
}

std::string where(const RuleExample& example) {
  if (example.file == "primer") return "On the command line";
  return example.file.empty() ? "In a chapter" : "In " + example.file;
}

}  // namespace

std::string rules_page() {
  Html out;
  out.open("p")
      .text("Every error that ")
      .element("code", {}, "primer")
      .text(
          " reports names one of these rules. Each has an example that breaks it and the mend; the "
          "book's tests run both.");
  out.close().line();
  for (const auto& example : rule_examples()) {
    const RuleInfo& rule = info(example.rule);
    out.open("h2", {{"id", std::string(rule.id)}});
    out.open("a", {{"href", '#' + std::string(rule.id)}}).text(std::string(rule.id)).close();
    out.close().line();
    out.element("p", {}, std::string(rule.summary) + ' ' + std::string(rule.cure)).line();
    code(out, where(example), example.wrong);
    code(out, "Mended", example.right);
  }
  return out.take();
}

}  // namespace primer
