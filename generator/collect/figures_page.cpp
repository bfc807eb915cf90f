// /figures/: every figure of the book, small, with its caption, leading to its chapter.
#include "generator/base/html.hpp"
#include "generator/collect/collection.hpp"

namespace primer {
namespace {

// The finding is for who cannot see the drawing; an image says its own.
std::string with_finding(const PageFigure& figure) {
  constexpr std::string_view tag = "<svg";
  if (!figure.picture.starts_with(tag)) return figure.picture;
  return "<svg role=\"img\" aria-label=\"" + escape(figure.finding) + '"' +
         figure.picture.substr(tag.size());
}

void write_figure(Html& out, const std::string& page, const PageFigure& figure) {
  const std::string address = page + '#' + figure.id;
  out.open("li").open("figure", {{"class", "plate"}}).line();
  out.open("a", {{"href", address}, {"tabindex", "-1"}}).raw(with_finding(figure)).close().line();
  out.open("figcaption").element("a", {{"href", address}, {"class", "label"}}, figure.label);
  out.text(" ").raw(figure.caption).close().close().close().line();
}

}  // namespace

std::optional<CollectionPage> figures_page(const CollectContext& book) {
  Html out;
  std::size_t count = 0;
  for (const auto& part : book.parts) {
    if (part.excerpt->figures.empty()) continue;
    const Entry& entry = *part.index->entry;
    const std::string page = "../" + entry.url;
    const std::string foreign = part.foreign(book.book);
    if (!foreign.empty()) out.open("div", {{"lang", foreign}});
    out.open("h2", {{"id", entry.slug}})
        .element("a", {{"href", page}}, part.title())
        .close()
        .line();
    out.open("ul", {{"class", "plates"}}).line();
    for (const auto& figure : part.excerpt->figures) write_figure(out, page, figure), ++count;
    out.close().line();
    if (!foreign.empty()) out.close().line();
  }
  if (count == 0) return std::nullopt;
  return CollectionPage{"figures/", book.words("Figures"),
                        count == 1
                            ? book.words("The figure of the book, and where it is explained.")
                            : book.words("All {n} figures of the book, each with the place "
                                         "where it is explained.",
                                         std::to_string(count)),
                        out.take()};
}

}  // namespace primer
