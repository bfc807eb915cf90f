#include "generator/core/collect/redirect.hpp"

#include <algorithm>

#include "generator/core/assemble/policy.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

// File of the redirect, from the root of a language.
std::string file_of(const std::string& alias) {
  return alias.ends_with(".html") ? alias : alias + "/index.html";
}

std::string redirect(const RedirectedTree& tree, const ChapterIndex& chapter,
                     const std::string& file) {
  const Book& book = tree.book;
  std::string to;
  for (auto depth = std::ranges::count(file, '/'); depth > 0; --depth) to += "../";
  to += chapter.entry->url;
  if (to.empty()) to = "./";
  const std::string whole = book.base_url.empty() ? to : book.base_url + chapter.entry->url;
  Html out;
  out.raw("<!DOCTYPE html>\n").open("html", {{"lang", book.language}}).line().open("head").line();
  out.empty("meta", {{"charset", "utf-8"}}).line();
  out.empty("meta",
            {{"http-equiv", "Content-Security-Policy"}, {"content", content_policy(book.base_url)}})
      .line();
  out.element("title", {}, chapter.front.title + " · " + book.title).line();
  out.empty("link", {{"rel", "canonical"}, {"href", whole}}).line();
  out.empty("meta", {{"http-equiv", "refresh"}, {"content", "0; url=" + to}}).line();
  out.close().line().open("body").line().open("p").text(tree.words("This page has moved to") + ' ');
  out.element("a", {{"href", to}}, chapter.front.title).text(".");
  return with_directions(out.close().line().close().line().close().line().take());
}

// Position of the alias in the front matter, after skipping the first `earlier` mentions of it.
std::size_t place_of(const Source& source, const std::string& alias, std::ptrdiff_t earlier) {
  const std::string_view text = source.text();
  constexpr std::string_view key = "aliases:",
                             part_of_one = "abcdefghijklmnopqrstuvwxyz0123456789-_./";
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && part_of_one.find(text[at]) != part_of_one.npos;
  };
  auto at = text.find(alias, text.find(key) + key.size());
  while (at != text.npos && (is_part(at - 1) || is_part(at + alias.size()) || earlier-- > 0))
    at = text.find(alias, at + 1);
  return at;
}

// Who has the address already, in words. Empty if it is free.
std::string owner_of(const Index& index, const ChapterIndex& chapter, const std::string& alias,
                     const Addresses& addresses,
                     const std::map<std::string, std::string>& aliases) {
  const std::string file = file_of(alias);
  const auto has_file = [&](const Entry& entry) { return entry.url + "index.html" == file; };
  if (has_file(*chapter.entry)) return "this chapter's own address";
  for (const auto& other : index.all()) {
    if (has_file(*other.entry)) return "the address of " + other.entry->file;
  }
  if (const auto other = aliases.find(file); other != aliases.end()) {
    return other->second == chapter.entry->file ? "already an alias of this chapter"
                                                : "already an alias of " + other->second;
  }
  const Addresses::Owner* taken = addresses.owner_of(file);
  return taken ? "an address of " + taken->name : "";
}

}  // namespace

void add_redirects(const std::vector<RedirectedTree>& trees, const FileSystem& files,
                   Addresses& addresses, std::map<std::string, std::string>& site,
                   Diagnostics& diagnostics) {
  const Index& original = trees.front().index;
  // aliases: file of the redirect → file of the chapter. pages: path of the redirect → HTML.
  std::map<std::string, std::string> aliases, pages;
  for (std::size_t i = 0; i < original.all().size(); ++i) {
    const ChapterIndex& chapter = original.all()[i];
    const auto& named = chapter.front.aliases;
    for (auto it = named.begin(); it != named.end(); ++it) {
      const std::string& alias = *it;
      const std::string owner = owner_of(original, chapter, alias, addresses, aliases);
      aliases.emplace(file_of(alias), chapter.entry->file);
      if (!owner.empty()) {
        const Source source(chapter.entry->file, files.read(chapter.entry->file).value_or(""));
        diagnostics.error(Rule::alias_taken, source,
                          place_of(source, alias, std::count(named.begin(), it, alias)),
                          alias.size(), "the alias " + in_quotes(alias) + " is " + owner);
        continue;
      }
      const Addresses::Owner itself{"the alias " + in_quotes(alias), chapter.entry->file};
      for (const auto& tree : trees) {
        const std::string path = tree.book.root + file_of(alias);
        addresses.claim(path, itself, diagnostics);
        pages[path] = redirect(tree, tree.index.all()[i], file_of(alias));
      }
    }
  }
  site.merge(pages);
}

}  // namespace primer
