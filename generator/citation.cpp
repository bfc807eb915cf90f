// Citations: `[@id]` or `[@a; @b]`, numbered in the order of first use, and the list they refer to.
#include <algorithm>

#include "generator/emitter.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

bool ends_sentence(std::string_view text) {
  return !text.empty() && std::string_view(".?!").find(text.back()) != std::string_view::npos;
}

// "Dao et al." has its full stop already.
std::string sentence(std::string text) { return ends_sentence(text) ? text : text + '.'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "NeurIPS 2017" holds 2017, "arXiv:20170.1" does not.
bool holds_number(std::string_view text, std::string_view number) {
  for (auto at = text.find(number); at != text.npos; at = text.find(number, at + 1)) {
    const auto end = at + number.size();
    const bool begins = at == 0 || !is_digit(text[at - 1]);
    if (begins && (end == text.size() || !is_digit(text[end]))) return true;
  }
  return false;
}

// Venue and year, or what there is of them.
std::string published(const Reference& reference) {
  const std::string year = reference.year == 0 ? "" : std::to_string(reference.year);
  if (year.empty() || holds_number(reference.venue, year)) return reference.venue;
  return reference.venue.empty() ? year : reference.venue + ", " + year;
}

}  // namespace

std::string Emitter::citation_number(const std::string& id) {
  auto at = std::find(cited_.begin(), cited_.end(), id);
  if (at == cited_.end()) at = cited_.insert(cited_.end(), id);
  return std::to_string(at - cited_.begin() + 1);
}

void Emitter::citation(const Node& node) {
  const std::string_view inside = std::string_view(node.text).substr(1, node.text.size() - 2);
  out.open("span", {{"class", "citation"}}).text("[");
  bool first = true;
  for (const auto part : split(inside, ';')) {
    const std::string_view word = trim(part);
    const std::string id(word.starts_with('@') ? word.substr(1) : word);
    const auto column = static_cast<std::size_t>(word.data() - inside.data());
    const std::size_t offset = node.offset + 1 + column;
    if (!shared.library.references.contains(id)) {
      std::vector<std::string> known;
      for (const auto& [name, reference] : shared.library.references) known.push_back(name);
      error(Rule::unknown_citation, offset, word.size(), "no reference has the id " + in_quotes(id),
            nearest(id, known));
      continue;
    }
    if (!first) out.text(", ");
    first = false;
    out.element("a", {{"href", "#ref-" + id}}, citation_number(id));
  }
  out.text("]").close();
}

void Emitter::reference_list() {
  if (cited_.empty()) return;
  out.element("h2", {{"id", "reference-list"}}, "References").line();
  out.open("ol", {{"class", "references"}}).line();
  for (const auto& id : cited_) {
    const Reference& reference = shared.library.references.at(id);
    out.open("li", {{"id", "ref-" + id}});
    const std::string authors = short_authors(reference);
    if (!authors.empty()) out.text(sentence(authors) + ' ');
    const bool linked =
        reference.url.starts_with("https://") || reference.url.starts_with("http://");
    if (linked) {
      out.element("a", {{"href", reference.url}}, reference.title);
    } else {
      out.text(reference.title);
    }
    std::string rest = ends_sentence(reference.title) ? "" : ".";
    const std::string where_and_when = published(reference);
    if (!where_and_when.empty()) rest += ' ' + sentence(where_and_when);
    if (!reference.accessed.empty()) rest += " Read " + reference.accessed + '.';
    out.text(rest).close().line();
  }
  out.close().line();
}

}  // namespace primer
