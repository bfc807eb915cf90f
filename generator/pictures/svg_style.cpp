#include "generator/pictures/svg_style.hpp"

#include <algorithm>
#include <vector>

#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::ok;
using figures::Status;

// Every comment is spaces, so that places stay; one that does not end takes the rest.
std::string without_comments(std::string_view css) {
  std::string text(css);
  for (auto at = text.find("/*"); at != text.npos; at = text.find("/*", at)) {
    const auto end = text.find("*/", at + 2);
    const auto behind = end == text.npos ? text.size() : end + 2;
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(behind), ' ');
  }
  return text;
}

std::size_t place_in(std::string_view whole, std::string_view part) {
  return static_cast<std::size_t>(part.data() - whole.data());
}

// The end of a declaration that begins at `at`: a semicolon outside of quotation marks.
std::size_t declaration_end(std::string_view css, std::size_t at) {
  char quote = 0;
  for (; at < css.size(); ++at) {
    if (quote != 0) {
      if (css[at] == quote) quote = 0;
    } else if (css[at] == '"' || css[at] == '\'') {
      quote = css[at];
    } else if (css[at] == ';') {
      break;
    }
  }
  return at;
}

Status take_uncommented(std::string_view css, SvgProperties& to) {
  for (std::size_t at = 0; at < css.size();) {
    const auto end = declaration_end(css, at);
    const std::string_view declaration = trim(css.substr(at, end - at));
    at = end + 1;
    if (declaration.empty()) continue;
    const std::size_t place = place_in(css, declaration);
    const auto colon = declaration.find(':');
    if (colon == declaration.npos) {
      return Error("the style has no colon here", place, declaration.size());
    }
    std::string name(trim(declaration.substr(0, colon)));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto taken = take_svg_property(name, declaration.substr(colon + 1), to);
    if (!taken) return Error(taken.error().message, place, declaration.size());
  }
  return ok();
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

bool is_selector(std::string_view text) {
  if (text == "*") return true;
  if (text.starts_with('.') || text.starts_with('#')) text.remove_prefix(1);
  return is_name(text);
}

}  // namespace

Status take_declarations(std::string_view css, SvgProperties& to) {
  return take_uncommented(without_comments(css), to);
}

Status SvgStyles::add(std::string_view css) {
  const std::string text = without_comments(css);
  const std::string_view all = text;
  for (std::size_t at = 0; at < all.size();) {
    const auto open = std::min(all.find('{', at), all.size());
    const std::string_view selectors = trim(all.substr(at, open - at));
    if (open == all.size() && selectors.empty()) break;
    for (const auto part : split(selectors, ',')) {
      if (is_selector(trim(part))) continue;
      return Error("the rule for " + in_quotes(svg_excerpt(trim(part))) +
                       " cannot be published: rules are for *, "
                       "an element, .class or #id",
                   place_in(all, selectors), selectors.size());
    }
    const auto close = std::min(all.find('}', open), all.size());
    if (close == all.size())
      return Error("the rule has no end", place_in(all, selectors), selectors.size());
    SvgProperties properties;
    const std::string_view block = all.substr(open + 1, close - open - 1);
    const auto taken = take_uncommented(block, properties);
    if (!taken)
      return Error(taken.error().message, open + 1 + taken.error().offset, taken.error().length);
    ++order_;
    for (const auto part : split(selectors, ',')) {
      Declarations& rule = rules_[std::string(trim(part))];
      for (const auto& [name, value] : properties) rule[name] = {order_, value};
    }
    at = close + 1;
  }
  return ok();
}

const SvgStyles::Declarations* SvgStyles::of(const std::string& selector) const {
  const auto found = rules_.find(selector);
  return found == rules_.end() ? nullptr : &found->second;
}

void SvgStyles::apply(std::string_view name, std::string_view id, std::string_view classes,
                      SvgProperties& to) const {
  if (rules_.empty()) return;
  const auto set = [&](const Declarations* rule) {
    if (!rule) return;
    for (const auto& [property, declared] : *rule) to[property] = declared.value;
  };
  set(of("*"));
  set(of(std::string(name)));
  Declarations of_classes;
  for (std::string_view rest = trim(classes); !rest.empty();) {
    const auto word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest = trim(rest.substr(word.size()));
    const Declarations* rule = of('.' + std::string(word));
    if (!rule) continue;
    for (const auto& [property, declared] : *rule) {
      Declared& kept = of_classes[property];
      if (kept.order <= declared.order) kept = declared;
    }
  }
  set(&of_classes);
  if (!id.empty()) set(of('#' + std::string(id)));
}

}  // namespace primer
