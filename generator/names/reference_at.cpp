#include "generator/names/reference_at.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "generator/base/text.hpp"

namespace primer {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}
bool is_target(char c) { return is_name(c) || c == '/' || c == '#' || c == '%'; }

struct Scheme {
  std::string_view begin;
  ReferenceKind kind;
};
constexpr std::array schemes{
    Scheme{"fact:", ReferenceKind::fact}, Scheme{"claim:", ReferenceKind::claim},
    Scheme{"term:", ReferenceKind::term}, Scheme{"calc:", ReferenceKind::fact},
    Scheme{"live:", ReferenceKind::fact}};

// The word around or right before a place.
LineReference word_at(std::string_view line, std::size_t at, bool (*belongs)(char),
                      ReferenceKind kind) {
  std::size_t begin = std::min(at, line.size()), end = begin;
  while (begin > 0 && belongs(line[begin - 1])) --begin;
  while (end < line.size() && belongs(line[end])) ++end;
  return {kind, std::string(line.substr(begin, end - begin)), begin, end};
}

// The kind of what stands between "](" and the place; nothing where a link's target is not open there.
std::optional<ReferenceKind> kind_in_link(std::string_view before) {
  const auto open = before.rfind("](");
  if (open == before.npos || before.find(')', open) != before.npos) return std::nullopt;
  std::string_view target = before.substr(open + 2);
  if (target.starts_with('<')) target.remove_prefix(1);
  for (const auto& [begin, kind] : schemes)
    if (target.starts_with(begin)) return kind;
  if (target.find(':') != target.npos) return std::nullopt;
  return ReferenceKind::place;
}

bool in_citation(std::string_view before) {
  const auto open = before.rfind("[@");
  return open != before.npos && before.find(']', open) == before.npos;
}

// "spec: round", and the expressions of blocks, whose names are facts.
std::optional<ReferenceKind> kind_in_block(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.starts_with("spec:")) return ReferenceKind::spec;
  if (text.starts_with("source:")) return ReferenceKind::file;
  const auto colon = text.find(": ");
  const bool key = colon != text.npos && std::ranges::all_of(text.substr(0, colon), is_name);
  return key ? std::optional(ReferenceKind::fact) : std::nullopt;
}

std::optional<ReferenceKind> kind_at(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  if (const auto kind = kind_in_link(before)) return kind;
  if (in_citation(before)) return ReferenceKind::work;
  return std::nullopt;
}

}  // namespace

std::optional<LineReference> reference_at(std::string_view line, std::size_t at) {
  const auto in_text = kind_at(line, at);
  const auto kind = in_text ? in_text : kind_in_block(line);
  if (!kind) return std::nullopt;
  const bool target = *kind == ReferenceKind::place || *kind == ReferenceKind::file;
  auto found = word_at(line, at, target ? is_target : is_name, *kind);
  while (found.name.ends_with('.')) found.name.pop_back(), --found.end;
  if (found.name.empty()) return std::nullopt;
  // A name of an expression is a fact's only if it has a point; others are looked up in vain.
  return found;
}

std::optional<LineReference> unfinished_reference(std::string_view line) {
  const auto in_text = kind_at(line, line.size());
  const auto kind = in_text ? in_text : kind_in_block(line);
  if (!kind) return std::nullopt;
  const bool target = *kind == ReferenceKind::place || *kind == ReferenceKind::file;
  return word_at(line, line.size(), target ? is_target : is_name, *kind);
}

}  // namespace primer
