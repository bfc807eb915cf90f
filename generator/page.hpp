// Stage "assemble": a rendered body, the book's navigation and a template → a page's file.
#pragma once

#include <optional>
#include <string>

#include "generator/emitter.hpp"
#include "generator/template.hpp"

namespace primer {

// The policy of every page: nothing inline, nothing from elsewhere.
inline constexpr const char* content_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'";

struct PageParts {
  const ChapterIndex* chapter = nullptr;
  std::string body, mental_model, takeaway, prerequisites, d2l;  // HTML
  std::string data_name;                     // "page.1a2b3c4d.json", or empty
};

// Builds pages of one book. Const methods are safe to call from several threads.
class Pages {
 public:
  // Nothing after a diagnostic about the templates.
  static std::optional<Pages> load(const FileSystem& site, const Book& book, const Index& index,
                                   const std::string& asset_directory, Diagnostics& diagnostics);
  std::string page(const PageParts& parts) const;
  // Found at any depth, so its addresses begin with the base path.
  std::string not_found() const;
  // A page that is no chapter, one level below the root: its address, its heading, what it is for.
  std::string plain(const std::string& url, const std::string& heading, const std::string& summary,
                    const std::string& body) const;
  // For a book without a home page of its own.
  std::string home() const;

 private:
  Pages(const Book& book, const Index& index, std::string assets, Template page,
        Template not_found);
  TemplateValues common(const std::string& root) const;
  std::string contents(const std::string& root) const;

  const Book& book_;
  const Index& index_;
  std::string assets_;
  Template page_, not_found_;
  std::string contents_here_, contents_up_;  // the navigation, rendered once for each depth
};

}  // namespace primer
