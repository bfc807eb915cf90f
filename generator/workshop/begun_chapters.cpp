#include "generator/workshop/begun_chapters.hpp"

#include <algorithm>
#include <utility>

#include "generator/load/book.hpp"
#include "generator/skeleton/chapter_list.hpp"
#include "generator/skeleton/chapter_skeleton.hpp"

namespace primer {
namespace {

std::string slug_of(const EditedFiles& files, const std::string& file) {
  Diagnostics reported_by_make;
  const auto book = load_book(files, reported_by_make);
  if (!book) return {};
  const auto found = std::ranges::find(book->chapters, file, &Entry::file);
  return found == book->chapters.end() ? std::string() : found->slug;
}

// book.yaml as it is published, with the chapters that `draft` has besides.
std::optional<std::string> relisted(EditedFiles& files, const std::string& draft,
                                    const std::string& left_out) {
  const std::string published = files.published(book_file).value_or("");
  return redraft(files, book_file, with_chapters_of(published, draft, left_out));
}

}  // namespace

std::optional<DraftTexts> begin_chapter(EditedFiles& files, const std::string& slug,
                                        const std::string& title, Diagnostics& diagnostics) {
  auto made = new_chapter(files, slug, diagnostics, title);
  if (!made) return std::nullopt;
  DraftTexts drafts;
  for (auto& [path, text] : *made) {
    files.write(path, text);
    drafts[path] = std::move(text);
  }
  return drafts;
}

DraftTexts drop_chapter(EditedFiles& files, const std::string& file) {
  DraftTexts drafts;
  if (!files.is_new(file)) return drafts;
  const std::string slug = slug_of(files, file), spec = spec_of_chapter(slug);
  drafts[book_file] = relisted(files, files.read(book_file).value_or(""), slug);
  for (const auto& path : {file, spec}) {
    if (!files.is_new(path)) continue;
    files.revert(path);
    drafts[path] = std::nullopt;
  }
  return drafts;
}

DraftTexts keep_chapters_of(EditedFiles& files, const std::string& draft) {
  return {{book_file, relisted(files, draft, {})}};
}

}  // namespace primer
