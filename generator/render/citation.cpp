// Citations: `[@id]` or `[@a; @b]`, numbered in the order of first use, and the list they refer to.
#include <algorithm>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/render/emitter.hpp"

namespace primer {
namespace {

// "[@a; @b]" → "a", "b".
std::vector<std::string> ids_of(const Node& citation) {
  std::vector<std::string> ids;
  const std::string_view inside =
      std::string_view(citation.text).substr(1, citation.text.size() - 2);
  for (const auto part : split(inside, ';')) {
    const std::string_view word = trim(part);
    ids.emplace_back(word.starts_with('@') ? word.substr(1) : word);
  }
  return ids;
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
    const Reference* reference = shared.library.reference(id);
    if (!reference) {
      std::vector<std::string> known;
      for (const auto& [name, other] : shared.library.references()) {
        if (tells()) known.push_back(name);
      }
      error(Rule::unknown_citation, offset, word.size(), "no reference has the id " + in_quotes(id),
            nearest(id, known));
      continue;
    }
    if (!reference->compared) {
      error(Rule::unknown_citation, offset, word.size(), not_compared(id));
      diagnostics.hint(how_to_compare);
      continue;
    }
    if (!first) out.text(", ");
    first = false;
    out.element("a", {{"href", "#ref-" + id}}, citation_number(id));
  }
  out.text("]").close();
}

// In the notes column what the text cites for the first time in its section, two at most; the list at the end has
// all of them, and is where the numbers lead.
void Emitter::first_sources(const Node& paragraph) {
  constexpr std::size_t most = 2;
  std::vector<std::string> ids;
  const auto collect = [&](const Node& node, const auto& self) -> void {
    if (node.kind == NodeKind::citation) {
      for (std::string& id : ids_of(node)) ids.push_back(std::move(id));
    }
    for (const auto& child : node.children) self(child, self);
  };
  collect(paragraph, collect);
  std::size_t shown = 0;
  for (const auto& id : ids) {
    const Reference* reference = shared.library.reference(id);
    if (!reference || !reference->compared) continue;
    if (!section_cited_.insert(id).second || ++shown > most) continue;
    const std::string authors = short_authors(*reference);
    out.open("p", {{"class", "source-note"}, {"aria-hidden", "true"}});
    out.text('[' + citation_number(id) + "] " + authors + (authors.empty() ? "" : ", "));
    out.element("cite", {}, reference->title);
    if (reference->year > 0) out.text(", " + std::to_string(reference->year));
    out.close().line();
  }
}

void Emitter::reference_list() {
  if (cited_.empty()) return;
  out.element("h2", {{"id", "reference-list"}}, word("References")).line();
  // Titles and venues are in the language that the book was written in, whatever this page's.
  const std::string foreign = shared.foreign();
  out.open("ol", {{"class", "references"}, {"lang", foreign, !foreign.empty()}}).line();
  for (const auto& id : cited_) {
    out.open("li", {{"id", "ref-" + id}});
    write_reference(out, *shared.library.reference(id));
    out.close().line();
  }
  out.close().line();
}

}  // namespace primer
