#include "generator/core/assemble/page.hpp"

#include <algorithm>

#include "generator/core/assemble/navigation.hpp"
#include "generator/core/assemble/policy.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/index/index_record.hpp"
#include "generator/core/typeset/typography.hpp"

namespace primer {
namespace {

const std::vector<std::string> template_names = {
    "title",       "book",         "subtitle",     "lang",         "root",          "assets",
    "data_page",   "policy",       "canonical",    "description",  "label",         "heading",
    "summary",     "sections",     "body",         "contents",     "previous",      "previous_url",
    "next",        "next_url",     "next_minutes", "next_summary", "is_home",       "chapter_list",
    "repository",  "edit_url",     "kind",         "turn",         "prerequisites", "d2l",
    "changed",     "feeds",        "og_type",      "robots",       "pages_sheet",   "own_sheet",
    "home",        "languages",    "alternates",   "text_lang",    "notice",        "search",
    "report_url",  "changes_url",  "card",         "fonts",        "place",         "reference",
    "machine_url", "spine",        "license",      "elsewhere",    "back",          "right_to_left",
    "wordless",    "heading_html", "edit_files",   "license_here", "problems"};

void set_heading(TemplateValues& values, const std::string& title) {
  values["heading"] = title;
  values["heading_html"] = escape(title);
}

std::string chapter_label(const Entry& entry, const Messages& words) {
  if (entry.kind == PageKind::page || entry.label.empty()) return {};
  if (entry.number.empty()) return words("Between the chapters");
  return words(entry.appendix ? "Appendix" : "Chapter") + ' ' + entry.number;
}

// Address of the page that measures the whole machine (site/runtime/main.js), or empty.
std::string machine_page(const Index& index) {
  for (const auto& page : index.all()) {
    if (page.entry->kind == PageKind::page && page.find("bench-machine")) return page.entry->url;
  }
  return {};
}

constexpr const char* workshop_url = "write/";  // a page of the book

bool has_workshop(const Index& index, const Assets& assets) {
  return assets.files.contains("write/primer.wasm") &&
         std::ranges::any_of(
             index.all(), [](const ChapterIndex& page) { return page.entry->url == workshop_url; });
}

// The entry at position `at` of chapters and pages.
const Entry& entry_at(const Book& book, std::size_t at) {
  const std::size_t chapters = book.chapters.size();
  return at < chapters ? book.chapters[at] : book.pages[at - chapters];
}

std::string base_path(const std::string& base_url) {
  const auto host = base_url.find("://");
  const auto path = host == base_url.npos ? base_url.npos : base_url.find('/', host + 3);
  return path == base_url.npos ? "/" : base_url.substr(path);
}

// The items of the contents, one per page of the book.
std::vector<ListItem> list_items(const Index& index, const Book& book) {
  std::vector<ListItem> items;
  for (const auto& chapter : index.all()) {
    const Entry& entry = *chapter.entry;
    // For an untranslated chapter, `entry` is the original's, but the part's title is this book's.
    const std::string& part = entry_at(book, items.size()).part;
    ListItem& item = items.emplace_back();
    if (entry.kind == PageKind::page && (entry.url.empty() || !entry.is_listed)) continue;
    Html out;
    const bool foreign = entry.language != book.language;
    if (!part.empty()) out.element("li", {{"class", "part"}}, part).line();
    out.open("li", {{"class", "subpage", entry.depth > 0}});
    out.open("a", {{"lang", entry.language, foreign}, {"href", entry.url}});
    if (!entry.number.empty()) out.element("span", {{"class", "number"}}, entry.number).text(" ");
    item.after =
        out.text(set_text(chapter.front.title, entry.language)).close().close().line().take();
    constexpr std::string_view attribute = "href=\"";
    const auto address = item.after.find(attribute, item.after.find("<a ")) + attribute.size();
    item.before = item.after.substr(0, address);
    item.after.erase(0, address);
    item.version = digest(item.before + item.after);
  }
  return items;
}

// Languages for which scripts have no strings. Scripts then do not request them.
std::string wordless(const Assets& assets, const Book& book, const std::vector<Locale>& locales) {
  std::vector<std::string> languages{book.language};
  for (const auto& locale : locales) {
    if (locale.book->language != book.language) languages.push_back(locale.book->language);
  }
  std::erase_if(languages, [&](const std::string& language) {
    return language == language_of_messages ||
           assets.files.contains(assets.directory + "runtime/words." + language + ".js");
  });
  return join(languages, " ");
}

// Slugs of pages with a sheet such as site/sheets/cheat-sheet.css.
std::set<std::string> own_sheets(const Assets& assets) {
  std::set<std::string> slugs;
  for (const auto& [path, bytes] : assets.files) {
    const std::string name = path.substr(std::min(path.size(), assets.directory.size()));
    if (!name.ends_with(".css") || name.find('/') != name.npos) continue;
    slugs.insert(name.substr(0, name.size() - 4));
  }
  return slugs;
}

// Fonts that the text of a page may need, with the HTML that shows the need. Fonts of drawings are
// loaded after the first frame (site/runtime/main.js).
struct TextFont {
  const char* file;
  std::string_view mark, other_mark = mark;
};
constexpr TextFont text_fonts[] = {
    {"fonts/text-upright.woff2", ""},
    {"fonts/figure-400.woff2", ""},
    {"fonts/figure-600.woff2", ""},
    {"fonts/text-italic.woff2", "<em", "m-t m-ti"},
    {"fonts/stix-two-math.woff2", "<math"},
    {"fonts/stix-two-math-complete.woff2", "<math class=\"m-more m-all"}};

// Digest of what a template renders from these values. It is cheaper than rendering.
Digest digest_of(const Template& frame, const TemplateValues& values) {
  Packer packer;
  packer.add(frame.version());
  for (const auto& [name, value] : values) {
    packer.add(name);
    packer.add(digest(value));
  }
  return digest(packer.bytes);
}

LazyFile framed(const Template& frame, TemplateValues values) {
  const Digest version = digest_of(frame, values);
  return {version, [&frame, values = std::move(values)] { return frame.render(values); }};
}

std::string in_list(const std::string& items) {
  return "<ol class=\"contents-list\">\n" + items + "</ol>";
}

}  // namespace

std::string numbered_title(const ChapterIndex& chapter) {
  return chapter.entry->before_title() + set_text(chapter.front.title, chapter.entry->language);
}

std::string root_from(const std::string& url) {
  std::string root;
  for (auto slashes = std::ranges::count(url, '/'); slashes > 0; --slashes) root += "../";
  return root;
}

Pages::Pages(const Book& book, const Index& index, const History& history, const Assets& assets,
             const Messages& words, std::vector<Locale> locales, bool renditions, Template page,
             Template untranslated, Template not_found)
    : book_(book),
      index_(index),
      history_(history),
      assets_(assets.directory),
      has_fonts_(assets.files.contains(assets.directory + text_fonts[0].file)),
      sheets_(own_sheets(assets)),
      searchable_(is_searchable(assets, book.language)),
      has_workshop_(has_workshop(index, assets)),
      frame_script_(assets.frame_script),
      reference_(assets.reference),
      machine_url_(machine_page(index)),
      wordless_(wordless(assets, book, locales)),
      words_(words),
      locales_(std::move(locales)),
      renditions_(renditions),
      page_(std::move(page)),
      untranslated_(std::move(untranslated)),
      not_found_(std::move(not_found)),
      items_(list_items(index, book)) {}

std::optional<Pages> Pages::load(const FileSystem& site, const Book& book, const Index& index,
                                 const History& history, const Assets& assets,
                                 const Messages& words, std::vector<Locale> locales,
                                 bool renditions, Diagnostics& diagnostics) {
  const auto load = [&](const char* path, const Messages& text) {
    return Template::load(site, path, template_names, words, text, diagnostics);
  };
  auto page = load("templates/page.mustache", words);
  auto not_found = load("templates/404.mustache", words);
  auto untranslated = book.root.empty() ? page : load("templates/page.mustache", Messages());
  if (!page || !not_found || !untranslated) return std::nullopt;
  if (assets.files.contains("search/pagefind.js") && !is_searchable(assets, book.language)) {
    Diagnostic silent;
    silent.rule = Rule::unknown_language;
    silent.severity = Severity::warning;
    silent.file = book_file;
    silent.message = "the search index has no language " + in_quotes(book.language) +
                     ", so its pages have no search button";
    diagnostics.add(std::move(silent));
    diagnostics.hint("rebuild the index with primer index");
  }
  return Pages(book, index, history, assets, words, std::move(locales), renditions,
               std::move(*page), std::move(*untranslated), std::move(*not_found));
}

std::string Pages::language_switch(const std::string& root, const std::string& url) const {
  Html out;
  for (const auto& [book, name] : locales_) {
    if (book->language == book_.language) continue;
    const std::string site = book_.root.empty() ? root : root + "../";
    out.element("a",
                {{"href", site + book->root + url},
                 {"hreflang", book->language},
                 {"lang", book->language}},
                name)
        .line();
  }
  return out.take();
}

std::string Pages::alternates(const std::string& url, std::size_t at) const {
  Html out;
  const auto link = [&](const std::string& language, const Book& book) {
    out.empty("link",
              {{"rel", "alternate"}, {"hreflang", language}, {"href", book.base_url + url}});
    out.line();
  };
  const Book& original = *locales_.front().book;
  if (original.base_url.empty() || !entry_at(original, at).translated) return {};
  for (const auto& [book, name] : locales_) {
    if (entry_at(*book, at).language == book->language) link(book->language, *book);
  }
  link("x-default", original);
  return out.take();
}

std::string Pages::all_contents(const std::string& root) const {
  std::string items;
  const std::string address = escape(root);
  for (const auto& item : items_)
    if (!item.empty()) items += item.before + address + item.after;
  return in_list(items);
}

std::size_t Pages::number_of(const ChapterIndex& chapter) const {
  return static_cast<std::size_t>(&chapter - index_.all().data());
}

std::pair<std::size_t, std::size_t> Pages::shown_contents(std::size_t at) const {
  const std::size_t shown = std::min(items_.size(), longest_contents);
  return {std::min(at - std::min(at, shown / 2), items_.size() - shown), shown};
}

std::string Pages::contents(const std::string& root, std::size_t at, bool current) const {
  const auto [first, shown] = shown_contents(at);
  // Items are rendered once for all pages. Only the address and the mark of the current page
  // differ.
  constexpr std::string_view link_end = "\">", mark = " aria-current=\"page\"";
  const std::string address = escape(root);
  std::string list;
  for (std::size_t i = first; i < first + shown; ++i) {
    const auto& [before, after, version] = items_[i];
    if (items_[i].empty()) continue;
    list += before + address + after;
    if (current && i == at)
      list.insert(list.size() - after.size() + after.find(link_end) + 1, mark);
  }
  if (shown < items_.size()) {
    const std::string all = words_("All {n} chapters", std::to_string(items_.size()));
    list += "<li><a href=\"" + escape(root) + "#chapters\">" + escape(all) + "</a></li>\n";
  }
  return in_list(list);
}

Digest Pages::contents_version(std::size_t at) const {
  const auto [first, shown] = shown_contents(at);
  Packer packer;
  packer.add(words_.version());
  for (const std::size_t number : {at, first, items_.size()}) packer.add(number);
  for (std::size_t i = first; i < first + shown; ++i) packer.add(items_[i].version);
  return digest(packer.bytes);
}

std::string Pages::policy(const std::string& inlined) const {
  return escape(content_policy(locales_.front().book->base_url, inlined));
}

TemplateValues Pages::common(const std::string& root) const {
  TemplateValues values;
  values["book"] = book_.title;
  values["subtitle"] = book_.subtitle;
  values["lang"] = book_.language;
  values["right_to_left"] = is_right_to_left(book_.language) ? "yes" : "";
  values["wordless"] = wordless_;
  const std::string site = book_.root.empty() ? root : root == "./" ? "../" : root + "../";
  values["home"] = root;
  values["root"] = site;
  values["assets"] = site + assets_;
  values["policy"] = policy();
  values["search"] = searchable_ ? "yes" : "";
  values["repository"] = book_.repository.issues();
  values["license"] = book_.license_sentence();
  values["reference"] = reference_;
  if (!machine_url_.empty()) values["machine_url"] = root + machine_url_;
  return values;
}

void Pages::set_body(std::string body, TemplateValues& values) const {
  Html links;
  for (const auto& [font, mark, other_mark] : text_fonts) {
    const bool needed = body.find(mark) != body.npos || body.find(other_mark) != body.npos;
    if (!has_fonts_ || !needed) continue;
    links
        .empty("link", {{"rel", "preload"},
                        {"href", values["assets"] + font},
                        {"as", "font"},
                        {"crossorigin", "anonymous"}})
        .line();
  }
  for (const auto& [name, mark] : conditional_sheets) {
    if (!sheets_.contains(name) || body.find(mark) == body.npos) continue;
    const std::string sheet = values["assets"] + name + ".css";
    links.empty("link", {{"rel", "stylesheet"}, {"href", sheet}}).line();
  }
  values["fonts"] = links.take();
  values["body"] = std::move(body);
}

void Pages::set_text_of(const PageText& text, TemplateValues& values) const {
  if (!text.heading.empty()) values["heading_html"] = text.heading;
  values["prerequisites"] = text.prerequisites;
  values["d2l"] = text.d2l;
  set_body(text.body, values);
}

// Opens the file in the site's browser editor if it has one, otherwise in the repository.
std::string Pages::edit_url(const Entry& entry, const std::string& root) const {
  if (!has_workshop_) return book_.repository.edit(entry.file);
  return root + workshop_url + "?file=" + percent_encoded(entry.file, "-_.~/");
}

// Identifies the version of the page by its last commit and its assets.
std::string Pages::report_url(const Entry& entry) const {
  std::string build = assets_.substr(2, assets_.size() - 3);
  const auto history = history_.find(entry.file);
  if (history != history_.end()) build = history->second.changes.front().commit + ' ' + build;
  const std::string page = book_.base_url + entry.url;
  return book_.repository.report(page.empty() ? "home" : page, build);
}

void Pages::set_dates(const Entry& entry, const std::string& root, TemplateValues& values) const {
  values["feeds"] = history_.empty() ? "" : "yes";
  const auto dates = history_.find(entry.file);
  if (dates == history_.end()) return;
  values["changed"] = dates->second.changed.substr(0, 10);
  // The list of changes is in the source language and covers all languages.
  if (book_.root.empty()) values["changes_url"] = root + changes_url + '#' + entry.slug;
}

void Pages::set_neighbours(std::size_t at, const std::string& root, TemplateValues& values) const {
  const auto& all = index_.all();
  values["turn"] = "yes";
  const auto problems = std::ranges::count(all[at].anchors, AnchorKind::question, &Anchor::kind);
  if (problems > 0) values["problems"] = words_("Problems ({n})", std::to_string(problems));
  if (at > 0) {
    values["previous"] = numbered_title(all[at - 1]);
    values["previous_url"] = root + all[at - 1].entry->url;
    values["back"] = is_right_to_left(all[at].entry->language) ? "→" : "←";
  }
  if (at + 1 < all.size() && all[at + 1].entry->kind == PageKind::chapter) {
    const ChapterIndex& next = all[at + 1];
    values["next"] = numbered_title(next);
    values["next_url"] = root + next.entry->url;
    values["next_summary"] = set_text(next.front.summary, next.entry->language);
    if (at + 1 < minutes_.size())
      values["next_minutes"] = words_("{n} min", std::to_string(minutes_[at + 1]));
  }
}

// A page's own sheet replaces the common sheet of pages.
void Pages::set_sheets(const Entry& entry, TemplateValues& values) const {
  if (entry.kind != PageKind::page) return;
  const bool is_conditional =
      std::ranges::find(conditional_sheets, entry.slug, &ConditionalSheet::name) !=
      std::end(conditional_sheets);
  if (sheets_.contains(entry.slug) && !is_conditional) values["own_sheet"] = entry.slug;
  else values["pages_sheet"] = "yes";
}

LazyFile Pages::page(const ChapterIndex& chapter, const PageText& text,
                     const std::string& data_name, const std::string& chapter_list) const {
  const bool translated = chapter.entry->language == book_.language;
  const Template& frame = translated ? page_ : untranslated_;
  const Digest inputs = digest(pack(digest_of(frame, page_values(chapter, data_name, chapter_list)),
                                    contents_version(number_of(chapter)), version_of(text)));
  return {inputs, [this, &frame, &chapter, &text, data_name, &chapter_list] {
            TemplateValues values = page_values(chapter, data_name, chapter_list);
            values["contents"] = contents(values["home"], number_of(chapter), true);
            set_text_of(text, values);
            return frame.render(values);
          }};
}

TemplateValues Pages::page_values(const ChapterIndex& chapter, const std::string& data_name,
                                  const std::string& chapter_list) const {
  const Entry& entry = *chapter.entry;
  const FrontMatter& front = chapter.front;
  const std::string root = entry.url.empty() ? "./" : "../";
  TemplateValues values = common(root);
  if (entry.url == workshop_url) {
    values["policy"] = policy(frame_script_);
    values["license_here"] = book_.license_sentence();
    if (!book_.repository.empty()) values["edit_files"] = book_.repository.edit("");
  }
  const std::string title = set_text(front.title, entry.language);
  const std::string summary = set_text(front.summary, entry.language);
  values["title"] = entry.url.empty() ? book_.title : title + " · " + book_.title;
  set_heading(values, title);
  values["is_home"] = entry.url.empty() ? "yes" : "";
  values["kind"] = entry.kind == PageKind::chapter ? "chapter"
                   : entry.url.empty()             ? "page home"
                                                   : "page";
  static const Messages english;
  const bool translated = entry.language == book_.language;
  const Messages& words = translated ? words_ : english;
  values["label"] = chapter_label(entry, words);
  values["description"] = values["summary"] = summary;
  values["data_page"] = data_name;
  set_dates(entry, root, values);
  values["og_type"] = entry.kind == PageKind::chapter ? "article" : "website";
  if (!book_.base_url.empty()) {
    values["canonical"] = (translated ? book_ : *locales_.front().book).base_url + entry.url;
  }
  if (!translated) {
    // Leave out what readers of this language do not need, to make room for the notice.
    values["description"] = values["subtitle"] = "";
    values["text_lang"] = entry.language;
    if (is_right_to_left(entry.language)) values["right_to_left"] = "yes";
    values["notice"] = words_("Not translated yet: this is the original.");
  }
  if (renditions_ && translated && entry.kind == PageKind::chapter && !front.figure.empty()) {
    values["card"] = book_.base_url + "cards/" + entry.slug + ".png";
  }
  if (has_workshop_ || !book_.repository.empty()) values["edit_url"] = edit_url(entry, root);
  if (!book_.repository.empty()) values["report_url"] = report_url(entry);
  const std::size_t at = number_of(chapter);
  if (locales_.size() > 1) {
    values["languages"] = language_switch(root, entry.url);
    values["alternates"] = alternates(entry.url, at);
  }
  if (entry.url.empty()) values["chapter_list"] = set_html(chapter_list, book_.language);
  set_sheets(entry, values);
  if (entry.kind == PageKind::chapter) {
    values["place"] = numbered_title(chapter);
    values["sections"] = set_html(section_list(chapter, words), entry.language);
    values["spine"] = spine(index_, minutes_, at, root, words_);
    set_neighbours(at, root, values);
  }
  return values;
}

LazyFile Pages::not_found(const std::vector<Pages>& all) const {
  return framed(not_found_, not_found_values(all));
}

TemplateValues Pages::not_found_values(const std::vector<Pages>& all) const {
  const std::string root = base_path(book_.base_url);
  TemplateValues values = common(root);
  values["title"] = words_("Not found") + " · " + book_.title;
  values["contents"] = all_contents(root);
  values["elsewhere"] = elsewhere(all);
  return values;
}

// A host has only one such page, so it speaks every language of the site.
std::string Pages::elsewhere(const std::vector<Pages>& all) const {
  Html out;
  for (const Pages& other : all) {
    if (&other == this) continue;
    const Messages& words = other.words_;
    out.open("section", {{"lang", other.book_.language}}).line();
    out.element("h2", {}, words("Page not found")).line();
    out.element("p", {}, words("It may have moved. These are the pages of the book:")).line();
    out.open("nav", {{"aria-label", words("Contents")}}).line();
    out.raw(other.all_contents(base_path(book_.base_url) + other.book_.root)).close().line();
    out.close().line();
  }
  return out.take();
}

LazyFile Pages::plain(const std::string& url, const std::string& heading,
                      const std::string& summary, std::string body, bool in_all_languages,
                      const std::string& data_page) const {
  const std::string root = root_from(url);
  TemplateValues values = common(root);
  if (in_all_languages && locales_.size() > 1) values["languages"] = language_switch(root, url);
  values["data_page"] = data_page;
  values["title"] = heading + " · " + book_.title;
  set_heading(values, heading);
  values["kind"] = "page";
  values["summary"] = values["description"] = set_text(summary, book_.language);
  set_body(set_html(body, book_.language), values);
  values["contents"] = contents(root, 0, false);
  values["pages_sheet"] = "yes";
  if (!book_.base_url.empty()) values["canonical"] = book_.base_url + url;
  return framed(page_, std::move(values));
}

LazyFile Pages::review(const std::string& url, const std::string& heading,
                       const std::string& summary, std::string body) const {
  const std::string root = root_from(url);
  TemplateValues values = common(root);
  values["title"] = heading + " · " + book_.title;
  set_heading(values, heading);
  values["kind"] = "review";
  values["robots"] = "noindex";
  values["summary"] = summary;
  set_body(std::move(body), values);
  values["contents"] = all_contents(root);
  return framed(page_, std::move(values));
}

LazyFile Pages::home(const std::string& chapter_list) const {
  return framed(page_, home_values(chapter_list));
}

TemplateValues Pages::home_values(const std::string& chapter_list) const {
  TemplateValues values = common("./");
  values["title"] = book_.title;
  set_heading(values, book_.title);
  values["is_home"] = "yes";
  values["kind"] = "page";
  if (locales_.size() > 1) values["languages"] = language_switch("./", "");
  values["summary"] = values["description"] = book_.subtitle;
  set_body("", values);
  values["contents"] = contents("./", 0, false);
  values["chapter_list"] = set_html(chapter_list, book_.language);
  if (sheets_.contains("home")) values["own_sheet"] = "home";
  else values["pages_sheet"] = "yes";
  if (!book_.base_url.empty()) values["canonical"] = book_.base_url;
  return values;
}

}  // namespace primer
