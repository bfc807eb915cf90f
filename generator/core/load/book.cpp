#include "generator/core/load/book.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/core/base/calendar.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/formats/text_pattern.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/load/front_matter.hpp"
#include "generator/core/load/shown_source.hpp"
#include "generator/core/load/unlisted_files.hpp"

namespace primer {
namespace {

constexpr std::string_view no_file_note =
    "the chapter's file is chapters/<language>/<slug>.md or NN-<slug>.md";

// The shortest prefix of the slug that is not taken, capitalized: "I", or "In" if "I" is taken.
std::string free_label(const std::string& slug, const std::set<std::string>& taken) {
  std::string label;
  for (const char c : slug) {
    label += label.empty() ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    if (c != '-' && !taken.contains(label)) return label;
  }
  int n = 2;
  while (taken.contains(label + std::to_string(n))) ++n;
  return label + std::to_string(n);
}

// An appendix always has its letter. If no chapter has a number, figures are numbered consecutively
// through the whole book.
void set_labels(Book& book) {
  const bool has_numbers = std::ranges::any_of(book.chapters, [](const Entry& chapter) {
    return chapter.depth == 0 && !chapter.appendix && !chapter.number.empty();
  });
  std::set<std::string> taken;
  for (auto& chapter : book.chapters) {
    if (chapter.number.empty()) continue;
    chapter.label = chapter.number + '.';
    taken.insert(chapter.number);
  }
  if (!has_numbers) return;
  for (auto* list : {&book.chapters, &book.pages}) {
    for (auto& entry : *list) {
      if (!entry.label.empty()) continue;
      entry.label = *taken.insert(free_label(entry.slug, taken)).first + '.';
    }
  }
}

// Reads book.yaml in one pass. Chapters are read before pages and locales, because both are
// compared with their slugs and files. Messages point into `source_`.
class Loader {
 public:
  Loader(const FileSystem& files, const Source& source, Drafts drafts, Cache* cache,
         Diagnostics& diagnostics)
      : files_(files), source_(source), drafts_(drafts), cache_(cache), diagnostics_(diagnostics) {}

  Book load(const Yaml& yaml) {
    Book book;
    Record record(yaml, source_, diagnostics_);
    book.severities = severities(record);
    diagnostics_.judge_by(book.severities);
    book.title = record.required_text("title");
    book.subtitle = record.text("subtitle").value_or("");
    const auto language = record.text("language");
    const auto languages = record.texts("languages");
    if (!languages.empty()) book.language = languages.front();
    if (language) book.language = *language;
    book.source_language = book.language;
    book.reference = record.text("reference").value_or("");
    book.reference_gpu = record.text("reference_gpu").value_or("");
    book.as_of = record.text("as_of").value_or("");
    if (!book.as_of.empty()) month(record.at("as_of"));
    book.license = record.text("license").value_or("");
    book.authors = record.one_or_more("authors");
    repository(record, book.repository);
    const std::string base_url = record.required_text("base_url");
    for (const char* key : {"repository", "base_url"}) {
      const auto address = record.text(key);
      const auto fault = address ? site_address_fault(*address) : std::nullopt;
      if (!fault) continue;
      record.error(Rule::misleading_link, record.at(key), fault->message);
      diagnostics_.hint(fault->hint);
    }
    const std::string numbering = record.text("numbering").value_or("given");
    book.numbering = numbering == "all"    ? Numbering::all
                     : numbering == "none" ? Numbering::none
                                           : Numbering::given;
    if (const Yaml* all = record.map("code"))
      for (const auto& [name, words] : all->entries)
        book.code.push_back(code_language(name.text, words));
    if (const Yaml* list = record.list("chapters")) chapters(*list, book);
    if (const Yaml* list = record.list("pages"))
      for (const auto& item : list->items) page(item, book, true);
    if (const Yaml* list = record.list("unlisted_pages"))
      for (const auto& item : list->items) page(item, book, false);
    set_labels(book);
    shown_files(record, book);
    if (const Yaml* list = record.list("review")) {
      book.review.emplace();
      for (const auto& item : list->items) review(item, book, *book.review);
    }
    if (!misses_file_) check_all_listed(yaml, book);
    check_unlisted(files_, book, diagnostics_);
    if (const Yaml* list = record.list("languages")) {
      for (const auto& item : list->items) locale(yaml, item, book);
      check_folders(*list, book);
    }
    book.publish_at(base_url);
    return book;
  }

 private:
  Diagnostic& error(Rule rule, const Yaml& at, std::string message, std::string suggestion = {}) {
    return diagnostics_.error(rule, source_, at.offset, at.length, std::move(message),
                              std::move(suggestion));
  }

  std::shared_ptr<const Severities> severities(const Record& record) {
    auto all = std::make_shared<Severities>();
    if (const Yaml* rules = record.map("severity")) severities_at("", *rules, *all);
    if (const Yaml* places = record.map("severity_of")) {
      for (const auto& [place, rules] : places->entries) {
        const bool there = place.text.ends_with('/')
                               ? !files_.list(place.text.substr(0, place.text.size() - 1)).empty()
                               : files_.read(place.text).has_value();
        if (there) {
          severities_at(place.text, rules, *all);
        } else {
          error(Rule::bad_value, place, "the book has no file " + in_quotes(place.text));
          diagnostics_.hint(
              "expected a file such as chapters/en/01-first.md or a directory such as "
              "chapters/en/");
        }
      }
    }
    return all;
  }

  void severities_at(const std::string& place, const Yaml& rules, Severities& all) {
    for (const auto& [id, severity] : rules.entries) {
      const RuleInfo* rule = find_rule(id.text);
      const bool lowers = severity.text == "warning";
      if (rule && (!lowers || can_be_lowered(rule->rule))) {
        all.set(place, rule->rule, lowers ? Severity::warning : Severity::error);
        continue;
      }
      std::vector<std::string> known;
      for (const auto& one : all_rules()) {
        if (can_be_lowered(one.rule)) known.emplace_back(one.id);
      }
      const std::string like = rule ? "" : nearest(id.text, known);
      error(Rule::bad_value, id,
            rule ? in_quotes(id.text) +
                       " must stay an error: otherwise a page could be unsafe, wrong or missing"
                 : "unknown rule " + in_quotes(id.text),
            like);
      if (like.empty()) diagnostics_.hint("rules that can be warnings: " + join(known, ", "));
    }
  }

  WordLanguage code_language(const std::string& name, const Yaml& yaml) {
    Record record(yaml, source_, diagnostics_);
    WordLanguage language{name};
    language.keywords = record.texts("keywords");
    language.types = record.texts("types");
    language.constants = record.texts("constants");
    language.comments = record.one_or_more("comment");
    language.strings = record.texts("strings");
    language.attributes = record.texts("attributes");
    language.variables = record.texts("variables");
    language.word_characters = record.text("word_characters").value_or("");
    language.files = record.one_or_more("files");
    language.any_case = record.flag("any_case").value_or(false);
    const Yaml* blocks = record.list("block_comments");
    for (std::size_t i = 0; blocks && i < blocks->items.size(); ++i) {
      const Yaml& ends = blocks->items[i];
      language.block_comments.emplace_back(ends.items[0].text, ends.items[1].text);
    }
    if (const Yaml* patterns = record.map("patterns")) code_patterns(*patterns, language);
    return language;
  }

  void code_patterns(const Yaml& kinds, WordLanguage& language) {
    for (const auto& [kind, value] : kinds.entries) {
      const bool many = value.kind == Yaml::Kind::list;
      for (const Yaml& one : many ? value.items : std::vector<Yaml>{value}) {
        const auto parsed = TextPattern::parse(one.text);
        if (parsed) language.patterns.push_back({kind.text, one.text});
        else pattern_fault(one, parsed.error());
      }
    }
  }

  void pattern_fault(const Yaml& at, const figures::Error& fault) {
    const Extract extract = extract_scalar(source_, at.offset, at.text);
    const std::size_t length = std::max<std::size_t>(fault.length, 1);
    const std::size_t begin = extract.place(fault.offset);
    const std::size_t last = extract.place(fault.offset + length - 1);
    diagnostics_.error(Rule::bad_value, source_, begin, last - std::min(begin, last) + 1,
                       fault.message);
  }

  void repository(const Record& record, RepositoryLinks& links) {
    links.address = record.required_text("repository");
    while (links.address.ends_with('/')) links.address.pop_back();
    links.branch = record.text("branch").value_or(links.branch);
    links.host = record.text("repository_host").value_or("");
    const auto folder = record.text("repository_path");
    if (!folder) return;
    const Yaml& at = record.at("repository_path");
    if (normal_path(*folder) == *folder && *folder != ".") {
      links.folder = *folder + '/';
    } else {
      error(Rule::bad_value, at,
            "expected a path from the repository's root, such as docs/book, without \"..\" or a "
            "slash at either end");
    }
  }

  void shown_files(const Record& record, Book& book) {
    book.sources = usual_sources();
    if (const Yaml* list = record.list("sources")) {
      book.sources.clear();
      for (const auto& item : list->items) source_directory(item, book.sources);
    }
    if (const Yaml* list = record.list("kernels"))
      for (const auto& item : list->items) kernel_directory(item, book);
    if (const Yaml* list = record.list("public_files"))
      for (const auto& item : list->items) public_file(item, book.public_files);
  }

  void source_directory(const Yaml& item, std::vector<std::string>& directories) {
    const auto path = normal_path(item.text);
    if (path && *path == item.text && !item.text.starts_with('.') &&
        item.text.find("/.") == item.text.npos)
      return directories.push_back(item.text);
    error(Rule::bad_value, item,
          "expected a directory path from the book's root, such as wasm_kernels, without \"..\", "
          "hidden directories or a slash at either end");
  }

  void kernel_directory(const Yaml& item, Book& book) {
    std::vector<std::string> directories;
    source_directory(item, directories);
    if (directories.empty()) return;
    const std::string manifest = item.text + "/kernels.json";
    if (files_.read(manifest) || report_unreadable(files_, manifest, diagnostics_)) {
      book.kernels.push_back(item.text);
      book.sources.push_back(item.text);
      return;
    }
    std::vector<std::string> others;
    for (std::string file : files_.list(item.text.substr(0, item.text.rfind('/'))))
      if (file.ends_with("/kernels.json")) others.push_back(file.substr(0, file.rfind('/')));
    error(Rule::file_unreadable, item, "there is no file " + in_quotes(manifest),
          nearest(item.text, others));
    diagnostics_.hint("primer new kernel NAME writes a directory of kernels");
  }

  // The file must exist. Otherwise the entry would later admit any file that gets this name.
  void public_file(const Yaml& item, std::vector<std::string>& paths) {
    if (normal_path(item.text) == item.text && files_.read(item.text))
      return paths.push_back(item.text);
    error(Rule::bad_value, item, "there is no file " + in_quotes(item.text));
    diagnostics_.hint("public_files lists paths from the book's root, such as code/my_secret.py");
  }

  // A future month is only a warning, so that a slow clock does not stop the build.
  void month(const Yaml& as_of) {
    if (const auto fault = date_fault(as_of.text)) {
      error(Rule::bad_value, as_of, *fault);
    } else if (const auto later = date_fault(as_of.text, this_month())) {
      diagnostics_.warning(Rule::bad_value, source_, as_of.offset, as_of.length,
                           "\"as_of\" is in the future: " + *later);
    }
  }

  // Messages quote the profile, so it must be a file that the book may show.
  void review(const Yaml& item, const Book& book, std::vector<std::string>& paths) {
    const auto path = normal_path(item.text);
    const bool profile = path && *path == item.text && path->ends_with(".json");
    const std::string refused = profile
                                    ? why_not_shown(files_, book.sources, book.public_files, *path)
                                    : in_quotes(item.text) + " is not the path of a profile";
    if (!files_.read(item.text)) {
      const Unreadable why = files_.why_unreadable(item.text);
      error(Rule::unknown_profile, item,
            "the profile " + in_quotes(item.text) +
                (why.message.empty() ? " does not exist" : ": " + why.message));
    } else if (!refused.empty()) {
      error(Rule::private_source, item, refused);
      diagnostics_.hint("expected a path from the book's root, such as tests/profiles/phone.json");
    } else {
      paths.push_back(item.text);
    }
  }

  // Adds a locale: its translations, and the original's files for everything else.
  void locale(const Yaml& yaml, const Yaml& item, Book& book) {
    if (!languages_.insert(item.text).second) {
      error(Rule::duplicate_id, item, "duplicate language " + in_quotes(item.text));
      return;
    }
    if (item.text == book.language) return;
    if (slugs_.contains(item.text)) {
      error(
          Rule::duplicate_id, item,
          "address conflict: a chapter has the same name as the language " + in_quotes(item.text));
      return;
    }
    Book locale = book;
    locale.locales.clear();
    locale.language = item.text;
    locale.root = item.text + '/';
    const Yaml* all = yaml.find("locales");
    if (const Yaml* own = all ? all->find(item.text) : nullptr) {
      Record record(*own, source_, diagnostics_);
      locale.title = record.text("title").value_or(book.title);
      locale.subtitle = record.text("subtitle").value_or(book.subtitle);
      locale.license = record.text("license").value_or(book.license);
      if (const Yaml* parts = record.map("parts")) translate_parts(*parts, locale);
    }
    const std::string folder = "chapters/" + locale.language + '/';
    std::set<std::string> files;
    if (is_linked("chapters/" + locale.language)) return;
    for (const auto& path : files_.list("chapters/" + locale.language)) {
      if (path.ends_with(".md")) files.insert(path);
    }
    std::vector<std::string> wanted;
    for (auto* list : {&locale.chapters, &locale.pages}) {
      for (auto& entry : *list) {
        const std::string original = entry.file;
        wanted.push_back(folder + original.substr(("chapters/" + book.language + '/').size()));
        if (files.erase(wanted.back()) == 0) continue;
        const bool pending = is_pending(wanted.back());
        for (auto* originals : {&book.chapters, &book.pages}) {
          for (auto& one : *originals) {
            if (one.file != original) continue;
            if (pending) one.pending.push_back(wanted.back());
            else one.translated = true;
          }
        }
        if (pending) continue;
        entry.file = wanted.back();
        entry.language = locale.language;
        entry.original = original;
        entry.translated = false;
      }
    }
    for (const auto& path : files) {
      auto& d = diagnostics_.error(Rule::orphaned_translation, path,
                                   "no original for this translation: no chapter or page of " +
                                       in_quotes(book.language) + " has this name");
      d.suggestion = nearest(path, wanted);
    }
    book.locales.push_back(std::move(locale));
  }

  // Whether the translation's front matter says that it is pending. The browser editor knows only
  // the digests of files that it has not fetched, so the answer comes from the cache. A caller
  // without a cache needs no answer for such a file and gets false.
  bool is_pending(const std::string& file) const {
    const auto itself = Dependency::file(file);
    if (!cache_ && files_.known_digest_of(itself)) return false;
    const Digest text = files_.digest_of(itself);
    return kept_or_made(cache_, Cache::Kind::index, "pending " + to_text(text), [&] {
             return says_pending(file) ? std::string("yes") : std::string("no");
           }) == "yes";
  }

  bool says_pending(const std::string& file) const {
    const std::string text = files_.read(file).value_or("");
    constexpr std::string_view mark = "\ntranslation:";
    if (text.substr(0, text.find("\n---")).find(mark) == text.npos) return false;
    Diagnostics ignored;  // they are reported when the translation is indexed
    return parse_front_matter(Source(file, text), ignored).is_pending;
  }

  // Sets the title of each part in the locale's language.
  void translate_parts(const Yaml& titles, Book& locale) {
    for (const auto& [title, own] : titles.entries) {
      const auto chapter = std::ranges::find(locale.chapters, title.text, &Entry::part);
      if (chapter != locale.chapters.end()) chapter->part = own.text;
      else error(Rule::bad_value, title, "no part has the title " + in_quotes(title.text));
    }
  }

  // Reports folders with chapters in a language that book.yaml does not list, because they would be
  // in no site.
  void check_folders(const Yaml& list, const Book& book) {
    std::set<std::string> folders;
    for (const auto& path : files_.list("chapters")) {
      const std::string_view inside =
          std::string_view(path).substr(std::string_view("chapters/").size());
      if (path.ends_with(".md") && inside.find('/') != inside.npos)
        folders.emplace(inside.substr(0, inside.find('/')));
    }
    folders.erase(book.language);
    for (const auto& folder : folders) {
      if (languages_.contains(folder)) continue;
      error(Rule::unknown_language, list,
            "chapters/" + folder + "/ holds chapters, but languages in book.yaml does not list " +
                in_quotes(folder));
    }
  }

  bool usable(const Yaml& item, const std::string& slug) {
    // Pages that list all chapters have a section per chapter whose id is the slug, next to these
    // ids.
    for (const std::string_view id : {"text", "report", "errata"}) {
      if (slug != id) continue;
      error(Rule::duplicate_id, item,
            "reserved slug " + in_quotes(slug) + ": every page uses it as an id");
      return false;
    }
    if (!slugs_.insert(slug).second) {
      error(Rule::duplicate_id, item, "duplicate slug " + in_quotes(slug));
      return false;
    }
    return true;
  }

  // What a sub-page needs to know about its chapter.
  struct Above {
    std::string number;
    bool draft = false;
    int count = 0;
  };

  void chapters(const Yaml& list, Book& book) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Yaml& item = list.items[i];
      if (!item.find("part")) {
        chapter(item, book);
        continue;
      }
      part(item);
      if (i + 1 < list.items.size() && !list.items[i + 1].find("part")) continue;
      error(Rule::bad_value, item, "this part has no chapters");
    }
  }

  // Starts a part. The following entries belong to it until the next part.
  void part(const Yaml& item) {
    Record record(item, source_, diagnostics_);
    part_ = record.required_text("part");
    lettered_ = record.flag("appendices").value_or(false);
  }

  void chapter(const Yaml& item, Book& book, Above* above = nullptr) {
    Entry entry;
    entry.depth = above ? 1 : 0;
    entry.appendix = lettered_ && !above;
    bool draft = above && above->draft;
    const Yaml* slug = &item;
    const Yaml* subpages = nullptr;
    const Yaml* number = nullptr;
    if (item.kind == Yaml::Kind::scalar) {
      entry.slug = item.text;
    } else {
      Record record(item, source_, diagnostics_);
      entry.slug = record.required_text("slug");
      draft = draft || (drafts_ == Drafts::left_out && record.flag("draft").value_or(false));
      slug = &record.at("slug");
      subpages = record.list("chapters");
      number = record.any("number");
    }
    entry.number = number_for(entry, book.numbering, number, above);
    if (!usable(*slug, entry.slug)) return;
    if (!draft && !above) check_number(entry.number, number ? *number : *slug);
    const std::string folder = "chapters/" + book.language + '/';
    entry.file = chapter_file(folder, entry, book.numbering, *slug);
    entry.url = entry.slug + '/';
    entry.language = book.language;
    Above below{entry.number, draft};
    entry.has_subpages = subpages != nullptr;
    if (draft) book.drafts.push_back(entry.file);
    else if (!entry.file.empty()) add(std::move(entry), book.chapters);
    for (std::size_t i = 0; subpages && i < subpages->items.size(); ++i)
      chapter(subpages->items[i], book, &below);
  }

  // The first chapter of a part that is in the site starts the part.
  void add(Entry entry, std::vector<Entry>& chapters) {
    entry.part = std::exchange(part_, {});
    chapters.push_back(std::move(entry));
  }

  // `said`: the number in the entry, or null.
  std::string number_for(const Entry& entry, Numbering numbering, const Yaml* said, Above* above) {
    if (said && (numbering == Numbering::none || entry.appendix)) {
      error(Rule::bad_value, *said,
            entry.appendix
                ? "an appendix cannot have a number: appendices get letters in order"
                : "a chapter cannot have a number, because book.yaml sets \"numbering: none\"");
    }
    if (numbering == Numbering::none) return {};
    if (above)
      return above->number.empty() ? "" : above->number + '.' + std::to_string(++above->count);
    if (entry.appendix) return letter(appendices_++);
    if (!said && numbering == Numbering::given) return {};
    last_number_ = said ? std::atoi(said->text.c_str()) : last_number_ + 1;
    return std::to_string(last_number_);
  }

  // Two chapters with one number would have figures with equal numbers.
  void check_number(const std::string& number, const Yaml& at) {
    if (number.empty()) return;
    const auto [first, is_new] = numbers_.emplace(number, source_.line_at(at.offset));
    if (is_new) return;
    error(Rule::duplicate_id, at, "duplicate chapter number " + number);
    diagnostics_.hint("first used at " + source_.path() + ':' + std::to_string(first->second));
  }

  // "A" to "Z", "AA" …
  static std::string letter(int at) {
    std::string name(1, static_cast<char>('A' + at % 26));
    return at < 26 ? name : letter(at / 26 - 1) + name;
  }

  void page(const Yaml& item, Book& book, bool is_listed) {
    if (!usable(item, item.text)) return;
    Entry entry{PageKind::page, item.text, "", "", item.text == "home" ? "" : item.text + '/'};
    entry.language = book.language;
    entry.is_listed = is_listed;
    entry.file = "chapters/" + book.language + "/pages/" + item.text + ".md";
    const std::string folder = "chapters/" + book.language + "/pages";
    const auto all = files_.list(folder);
    if (is_linked(folder)) return;
    if (std::find(all.begin(), all.end(), entry.file) == all.end()) {
      error(Rule::file_unreadable, item, "missing page file " + in_quotes(entry.file),
            nearest(entry.file, all));
      return;
    }
    book.pages.push_back(std::move(entry));
  }

  // Reports files that no entry lists, because they would be silently missing from the site.
  void check_all_listed(const Yaml& yaml, const Book& book) {
    const std::string folder = "chapters/" + book.language + '/';
    list_chapters(folder);
    for (const auto& path : nested_) {
      diagnostics_.error(Rule::unlisted_chapter, path,
                         "this chapter is not published: chapters must be directly in " + folder);
      diagnostics_.hint("move it there and list it in book.yaml, or move it out of " + folder);
    }
    for (const auto& [slug, path] : files_by_slug_) {
      if (slugs_.contains(slug)) continue;
      const Yaml* list = yaml.find("chapters");
      diagnostics_.error(
          Rule::unlisted_chapter, source_, list ? list->offset : yaml.offset, 1,
          in_quotes(path) + " is not listed: no chapter has the slug " + in_quotes(slug));
      diagnostics_.hint("add \"- slug: " + slug + "\", or move the file out of " + folder);
    }
  }

  // "NN-slug.md" → NN. Nothing for "slug.md".
  static std::optional<int> number_of(std::string_view name) {
    const auto digits = name.substr(0, 2);
    if (name.size() < 4 || name[2] != '-' || !std::ranges::all_of(digits, figures::is_digit))
      return std::nullopt;
    return (name[0] - '0') * 10 + (name[1] - '0');
  }

  // A linked directory appears empty, so report the link once instead of each missing file.
  bool is_linked(const std::string& directory) {
    const std::string link = files_.link_in(directory);
    if (!link.empty() && links_.insert(link).second)
      diagnostics_.error(Rule::file_unreadable, link,
                         "this is a symbolic link; put the directory itself there");
    return !link.empty();
  }

  void list_chapters(const std::string& folder) {
    if (std::exchange(listed_, true)) return;
    for (const auto& path : files_.list(folder.substr(0, folder.size() - 1))) {
      std::string_view name = std::string_view(path).substr(folder.size());
      if (!name.ends_with(".md")) continue;
      if (name.find('/') != name.npos) {
        if (!name.starts_with("pages/")) nested_.push_back(path);
        continue;
      }
      name.remove_suffix(3);
      if (number_of(name)) name.remove_prefix(3);
      const auto [first, is_new] = files_by_slug_.emplace(name, path);
      if (is_new) continue;
      diagnostics_.error(Rule::unlisted_chapter, path,
                         "this file and " + in_quotes(first->second) + " are the same chapter");
      diagnostics_.hint("the number before the name is ignored: remove or rename one of them");
    }
  }

  // Returns "" after a diagnostic if the file does not exist or its NN differs from the chapter's
  // number.
  std::string chapter_file(const std::string& folder, const Entry& entry, Numbering numbering,
                           const Yaml& at) {
    list_chapters(folder);
    if (const auto found = files_by_slug_.find(entry.slug); found != files_by_slug_.end()) {
      const std::string& path = found->second;
      const auto number = number_of(std::string_view(path).substr(folder.size()));
      const bool differs = number && std::to_string(*number) != entry.number;
      if (differs && numbering != Numbering::none)
        error(Rule::bad_value, at,
              in_quotes(path) + " is numbered " + std::to_string(*number) +
                  " in the file name, but " +
                  (entry.number.empty() ? "has no number" : entry.number) + " here");
      return path;
    }
    misses_file_ = true;
    if (is_linked(folder.substr(0, folder.size() - 1))) return {};
    std::vector<std::string> slugs;
    for (const auto& [slug, path] : files_by_slug_) slugs.push_back(slug);
    error(Rule::file_unreadable, at, "the chapter " + in_quotes(entry.slug) + " has no file",
          nearest(entry.slug, slugs));
    diagnostics_.hint(std::string(no_file_note));
    return {};
  }

  const FileSystem& files_;
  const Source& source_;
  const Drafts drafts_;
  Cache* const cache_;
  Diagnostics& diagnostics_;
  int last_number_ = 0, appendices_ = 0;
  std::string part_;       // title of the part that the next chapter starts, or empty
  bool lettered_ = false;  // whether that part has appendices
  std::set<std::string> slugs_;
  std::map<std::string, int> numbers_;  // of chapters in the site, with the line of each
  std::set<std::string> languages_;
  std::set<std::string> links_;  // links that were reported
  std::map<std::string, std::string> files_by_slug_;
  bool listed_ = false;              // whether list_chapters() was called
  std::vector<std::string> nested_;  // Markdown files in subfolders other than pages/
  bool misses_file_ = false;         // an entry has no file; its slug may be misspelled
};

}  // namespace

const WordLanguage* Book::code_language(std::string_view name) const {
  const auto found = std::ranges::find(code, name, &WordLanguage::name);
  return found == code.end() ? nullptr : &*found;
}

const WordLanguage* Book::code_language_of(std::string_view file) const {
  const auto found = std::ranges::find_if(code, [&](const auto& language) {
    return std::ranges::any_of(language.files,
                               [&](const auto& end) { return file.ends_with(end); });
  });
  return found == code.end() ? nullptr : &*found;
}

std::string Book::part_of(const Entry& chapter) const {
  if (chapter.part.empty()) return {};
  const auto own = std::ranges::find(chapters, chapter.slug, &Entry::slug);
  return own == chapters.end() ? chapter.part : own->part;
}

std::string Book::license_sentence() const {
  return license.empty() || license.ends_with('.') ? license : license + '.';
}

std::string Book::author() const {
  return authors.empty() ? "The authors of " + title : join(authors, ", ");
}

void Book::publish_at(const std::string& url) {
  base_url = url;
  if (!base_url.empty() && base_url.back() != '/') base_url += '/';
  for (auto& locale : locales) locale.base_url = base_url.empty() ? "" : base_url + locale.root;
}

std::optional<Book> load_book(const FileSystem& files, Diagnostics& diagnostics, Cache* cache,
                              Drafts drafts) {
  auto text = files.read(book_file);
  if (!text) {
    if (!report_unreadable(files, book_file, diagnostics))
      diagnostics.error(Rule::file_unreadable, book_file,
                        "no book found here: expected chapters/book.yaml");
    return std::nullopt;
  }
  const Source source(book_file, std::move(*text));
  if (!check_text(source, TextKind::prose, diagnostics)) return std::nullopt;
  const auto yaml = parse_yaml(source, diagnostics);
  if (!yaml || !conforms("book", "the book", *yaml, source, diagnostics, cache))
    return std::nullopt;
  return Loader(files, source, drafts, cache, diagnostics).load(*yaml);
}

}  // namespace primer
