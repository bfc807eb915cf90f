#include "generator/core/render/long_formula.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr double fits = 30;  // symbols of half an em: 350 px on a phone, minus the equation number

constexpr std::string_view relations[] = {"\\le",     "\\leq",        "\\ge", "\\geq", "\\approx",
                                          "\\propto", "\\lesssim",    "\\ll", "\\gg",  "\\equiv",
                                          "\\to",     "\\Rightarrow", "\\ne", "\\neq", "\\sim"};
constexpr std::string_view without_width[] = {
    "\\left", "\\right",        "\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl",   "\\Bigr",
    "\\!",    "\\displaystyle", "\\,",   "\\;",   "\\:",    "\\text", "\\mathrm", "\\operatorname"};

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// The first token: a command, a group with its braces or one symbol.
std::string_view token(std::string_view tex) {
  if (tex.front() == '\\') {
    std::size_t end = 1;
    while (end < tex.size() && std::isalpha(static_cast<unsigned char>(tex[end])) != 0) ++end;
    return tex.substr(0, std::max<std::size_t>(end, 2));
  }
  if (tex.front() != '{') return tex.substr(0, 1);
  int depth = 0;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    if (tex[i] == '{') ++depth;
    if (tex[i] == '}' && --depth == 0) return tex.substr(0, i + 1);
  }
  return tex;
}

std::string_view inside(std::string_view group) {
  return group.size() > 1 && group.front() == '{' ? group.substr(1, group.size() - 2) : group;
}

// Estimated width of a formula in symbols.
double width_of(std::string_view tex, int depth = 0) {
  double width = 0;
  while (!tex.empty() && depth < 20) {
    const std::string_view next = token(tex);
    tex.remove_prefix(next.size());
    if (next.ends_with("frac") && next.front() == '\\' && !tex.empty()) {
      const std::string_view above = token(tex);
      tex.remove_prefix(above.size());
      const std::string_view below = tex.empty() ? tex : token(tex);
      tex.remove_prefix(below.size());
      width += std::max(width_of(inside(above), depth + 1), width_of(inside(below), depth + 1));
    } else if ((next == "_" || next == "^") && !tex.empty()) {
      const std::string_view script = token(tex);
      tex.remove_prefix(script.size());
      width += 0.7 * width_of(inside(script), depth + 1);
    } else if (next.front() == '{') {
      width += width_of(inside(next), depth + 1);
    } else if (!is_one_of(without_width, next) && next != " " && next != "\n") {
      const bool is_operator = "=<>+-"sv.find(next) != "="sv.npos || is_one_of(relations, next);
      width += next == "\\quad" ? 2 : is_operator ? 2 : next == "\\min" || next == "\\max" ? 4 : 1;
    }
  }
  return width;
}

// Splits the formula before each relation that is outside of brackets.
std::vector<std::string_view> parts_of(std::string_view tex) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  int open = 0;
  for (std::size_t at = 0; at < tex.size();) {
    const std::string_view next = token(tex.substr(at));
    if (next == "(" || next == "[" || next == "\\left" || next == "\\{") ++open;
    if (next == ")" || next == "]" || next == "\\right" || next == "\\}") --open;
    const bool relates =
        (next.size() == 1 && "=<>"sv.find(next) != "="sv.npos) || is_one_of(relations, next);
    if (relates && open == 0 && at > from) {
      parts.push_back(tex.substr(from, at - from));
      from = at;
    }
    at += next.size();
  }
  parts.push_back(tex.substr(from));
  return parts;
}

}  // namespace

std::string broken_formula(std::string_view tex) {
  const bool is_broken = tex.find("\\\\") != tex.npos || tex.find("\\begin") != tex.npos;
  if (is_broken || width_of(tex) <= fits) return {};
  const auto parts = parts_of(tex);
  if (parts.size() < 2) return {};
  // If the left side is long, the right side starts on a new line at the left edge.
  const bool is_hanging = width_of(parts[0]) + width_of(parts[1]) > fits;
  std::string broken = "\\begin{aligned} ";
  broken += is_hanging ? "&" + std::string(parts[0]) : std::string(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (i > 1 || is_hanging) broken += " \\\\ ";
    broken += (is_hanging ? "&\\quad " : "&") + std::string(parts[i]);
  }
  return broken + " \\end{aligned}";
}

}  // namespace primer
