// ```glossary: lists every term of chapters/facts/glossary.json in the page's language, with links
// to the chapters that explain it.
#include <algorithm>

#include "generator/core/render/directive.hpp"

namespace primer {
namespace {

// For example "In 0 The workload, 2 Everything is matmul". Nothing for a term that no chapter uses.
void emit_uses(Emitter& emitter, const std::string& id) {
  Html& out = emitter.out;
  bool first = true;
  for (const auto& chapter : emitter.shared.index.all()) {
    if (!chapter.terms.contains(id)) continue;
    if (first) out.open("span", {{"class", "glossary-uses"}}).text(' ' + emitter.word("In") + ' ');
    if (!first) out.text(", ");
    first = false;
    out.element("a", {{"href", emitter.relative(chapter.entry->url)}},
                chapter.entry->before_title() + chapter.front.title);
  }
  if (!first) out.text(".").close();
}

// Sorts terms as a dictionary does, ignoring case.
std::vector<std::pair<std::string, Term>> in_order(const std::map<std::string, Term>& terms) {
  std::vector<std::pair<std::string, Term>> all(terms.begin(), terms.end());
  const auto key = [](const Term& term) {
    std::string lower = term.term;
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return key(a.second) < key(b.second); });
  return all;
}

using Entries = std::vector<std::pair<std::string, Term>>;

// First letter of the term in upper case. A letter outside of ASCII stays unchanged.
std::string initial(const std::string& term) {
  std::size_t end = 1;
  while (end < term.size() && (static_cast<unsigned char>(term[end]) & 0xc0) == 0x80) ++end;
  std::string letter = term.substr(0, end);
  if (letter[0] >= 'a' && letter[0] <= 'z') letter[0] = static_cast<char>(letter[0] - 'a' + 'A');
  return letter;
}

// A row of letters that link to the first term each. Short glossaries do not need it.
void emit_letters(Emitter& emitter, const Entries& entries) {
  constexpr std::size_t few = 20;
  if (entries.size() <= few) return;
  Html& out = emitter.out;
  out.open("p", {{"class", "glossary-letters"}});
  std::string last;
  for (const auto& [id, term] : entries) {
    const std::string letter = initial(term.term);
    if (letter == last) continue;
    if (!last.empty()) out.text(" · ");
    out.element("a", {{"href", "#term-" + id}}, letter);
    last = letter;
  }
  out.close().line();
}

}  // namespace

void glossary_block(Emitter& emitter, const Block&) {
  Html& out = emitter.out;
  const Entries entries = in_order(emitter.shared.library.terms());
  emit_letters(emitter, entries);
  out.open("dl", {{"class", "glossary"}}).line();
  for (const auto& [id, term] : entries) {
    const std::string foreign = emitter.foreign(term);
    out.element("dt", {{"id", "term-" + id}, {"lang", foreign, !foreign.empty()}}, term.term);
    out.open("dd");
    if (foreign.empty()) out.text(term.definition);
    if (!foreign.empty()) out.element("span", {{"lang", foreign}}, term.definition);
    if (term.stale) {
      out.text(" ").element("span", {{"class", "label stale"}},
                            emitter.word("The original has changed since."));
    }
    if (!term.also.empty())
      out.text(' ' + emitter.word("Also:") + ' ' + join(term.also, ", ") + '.');
    emit_uses(emitter, id);
    out.close().line();
  }
  out.close().line();
}

}  // namespace primer
