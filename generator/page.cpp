#include "generator/page.hpp"

#include <algorithm>

#include "generator/html.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

const std::vector<std::string> template_names = {
    "title",        "book",         "subtitle",   "lang",         "root",
    "assets",       "data_page",    "policy",     "canonical",    "description",
    "label",        "heading",      "summary",    "mental_model", "takeaway",
    "body",         "contents",     "previous",   "previous_url", "next",
    "next_url",     "is_home",      "chapter_list", "repository", "source_url",
    "kind",         "turn",         "prerequisites", "d2l",          "changed",
    "feeds",        "og_type",      "robots",       "lists"};

std::string chapter_label(const Entry& entry) {
  if (entry.kind == PageKind::page) return {};
  return entry.number ? "Chapter " + std::to_string(*entry.number) : "Between the chapters";
}

std::string base_path(const std::string& base_url) {
  const auto host = base_url.find("://");
  const auto path = host == base_url.npos ? base_url.npos : base_url.find('/', host + 3);
  return path == base_url.npos ? "/" : base_url.substr(path);
}

// An item of the contents for each page of the book, in its order; empty for the home page, to which
// the book's title links.
std::vector<std::string> list_items(const Index& index, const std::string& root) {
  std::vector<std::string> items;
  for (const auto& chapter : index.all()) {
    const Entry& entry = *chapter.entry;
    std::string& item = items.emplace_back();
    if (entry.kind == PageKind::page && entry.url.empty()) continue;
    Html out;
    const std::string number = entry.number ? std::to_string(*entry.number) : "";
    out.open("li").open("a", {{"href", root + entry.url}});
    if (!number.empty()) out.element("span", {{"class", "number"}}, number).text(" ");
    item = out.text(chapter.front.title).close().close().line().take();
  }
  return items;
}

std::string in_list(const std::string& items) {
  return "<ol class=\"contents-list\">\n" + items + "</ol>";
}

}  // namespace

Pages::Pages(const Book& book, const Index& index, const History& history, std::string assets,
             Template page, Template not_found)
    : book_(book),
      index_(index),
      history_(history),
      assets_(std::move(assets)),
      page_(std::move(page)),
      not_found_(std::move(not_found)),
      items_here_(list_items(index, "./")),
      items_up_(list_items(index, "../")) {}

std::optional<Pages> Pages::load(const FileSystem& site, const Book& book, const Index& index,
                                 const History& history, const std::string& asset_directory,
                                 Diagnostics& diagnostics) {
  auto page = Template::load(site, "templates/page.mustache", template_names, diagnostics);
  auto not_found = Template::load(site, "templates/404.mustache", template_names, diagnostics);
  if (!page || !not_found) return std::nullopt;
  return Pages(book, index, history, asset_directory, std::move(*page), std::move(*not_found));
}

std::string Pages::all_contents(const std::string& root) const {
  std::string items;
  for (const auto& item : list_items(index_, root)) items += item;
  return in_list(items);
}

std::string Pages::contents(const std::string& root, std::size_t at) const {
  const auto& items = root == "./" ? items_here_ : items_up_;
  const std::size_t shown = std::min(items.size(), longest_contents);
  const std::size_t first = std::min(at - std::min(at, shown / 2), items.size() - shown);
  std::string list;
  for (std::size_t i = first; i < first + shown; ++i) list += items[i];
  if (shown < items.size()) {
    const std::string all = "All " + std::to_string(items.size()) + " chapters";
    list += "<li><a href=\"" + escape(root) + "#chapters\">" + all + "</a></li>\n";
  }
  return in_list(list);
}

TemplateValues Pages::common(const std::string& root) const {
  TemplateValues values;
  values["book"] = book_.title;
  values["subtitle"] = book_.subtitle;
  values["lang"] = book_.language;
  values["root"] = root;
  values["assets"] = root + assets_;
  values["policy"] = content_policy;
  values["repository"] = book_.repository;
  return values;
}

std::string Pages::page(const PageParts& parts) const {
  const Entry& entry = *parts.chapter->entry;
  const FrontMatter& front = parts.chapter->front;
  const std::string root = entry.url.empty() ? "./" : "../";
  TemplateValues values = common(root);
  values["title"] = entry.url.empty() ? book_.title : front.title + " · " + book_.title;
  values["heading"] = entry.url.empty() ? book_.title : front.title;
  values["is_home"] = entry.url.empty() ? "yes" : "";
  values["kind"] = entry.kind == PageKind::page ? "page" : "chapter";
  values["label"] = chapter_label(entry);
  values["description"] = front.summary;
  values["summary"] = front.summary;
  values["mental_model"] = parts.mental_model;
  values["takeaway"] = parts.takeaway;
  values["prerequisites"] = parts.prerequisites;
  values["d2l"] = parts.d2l;
  values["body"] = parts.body;
  values["data_page"] = parts.data_name;
  const auto dates = history_.find(entry.file);
  if (dates != history_.end()) values["changed"] = dates->second.changed.substr(0, 10);
  values["feeds"] = history_.empty() ? "" : "yes";
  values["og_type"] = entry.kind == PageKind::chapter ? "article" : "website";
  if (!book_.base_url.empty()) values["canonical"] = book_.base_url + entry.url;
  if (!book_.repository.empty()) {
    values["source_url"] = book_.repository + "/blob/main/" + entry.file;
  }
  // Rendered once for all pages; only the mark of the current one differs.
  const auto at = static_cast<std::size_t>(parts.chapter - index_.all().data());
  const std::string navigation = contents(root, at);
  const std::string link = "href=\"" + escape(root + entry.url) + '"';
  values["contents"] = replace_all(navigation, link + '>', link + " aria-current=\"page\">");
  if (entry.url.empty()) {
    values["chapter_list"] = chapter_list;
    values["lists"] = "yes";
  }

  const auto& all = index_.all();
  if (entry.kind == PageKind::chapter) {
    values["turn"] = "yes";
    if (at > 0) {
      values["previous"] = all[at - 1].front.title;
      values["previous_url"] = root + all[at - 1].entry->url;
    }
    if (at + 1 < all.size() && all[at + 1].entry->kind == PageKind::chapter) {
      values["next"] = all[at + 1].front.title;
      values["next_url"] = root + all[at + 1].entry->url;
    }
  }
  return page_.render(values);
}

std::string Pages::not_found() const {
  const std::string root = base_path(book_.base_url);
  TemplateValues values = common(root);
  values["title"] = "Not found · " + book_.title;
  values["contents"] = all_contents(root);
  return not_found_.render(values);
}

std::string Pages::plain(const std::string& url, const std::string& heading,
                         const std::string& summary, const std::string& body) const {
  TemplateValues values = common("../");
  values["title"] = heading + " · " + book_.title;
  values["heading"] = heading;
  values["kind"] = "page";
  values["summary"] = values["description"] = summary;
  values["body"] = body;
  values["contents"] = contents("../", 0);
  values["lists"] = "yes";
  if (!book_.base_url.empty()) values["canonical"] = book_.base_url + url;
  return page_.render(values);
}

std::string Pages::review(const std::string& url, const std::string& heading,
                          const std::string& summary, const std::string& body) const {
  std::string root;
  for (auto slashes = std::count(url.begin(), url.end(), '/'); slashes > 0; --slashes) root += "../";
  TemplateValues values = common(root);
  values["title"] = heading + " · " + book_.title;
  values["heading"] = heading;
  values["kind"] = "review";
  values["robots"] = "noindex";
  values["summary"] = summary;
  values["body"] = body;
  values["contents"] = all_contents(root);
  return page_.render(values);
}

std::string Pages::home() const {
  TemplateValues values = common("./");
  values["title"] = book_.title;
  values["heading"] = book_.title;
  values["is_home"] = "yes";
  values["kind"] = "page";
  values["summary"] = values["description"] = book_.subtitle;
  values["contents"] = contents("./", 0);
  values["chapter_list"] = chapter_list;
  values["lists"] = "yes";
  if (!book_.base_url.empty()) values["canonical"] = book_.base_url;
  return page_.render(values);
}

}  // namespace primer
