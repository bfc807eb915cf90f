#include "generator/tools/names/book_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/values.hpp"

namespace primer {
namespace {
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}
bool is_target(char c) { return is_name(c) || c == '/' || c == '#' || c == '%'; }

struct Scheme {
  std::string_view begin;
  ReferenceKind kind;
};
constexpr std::array schemes{
    Scheme{"fact:", ReferenceKind::fact}, Scheme{"claim:", ReferenceKind::claim},
    Scheme{"term:", ReferenceKind::term}, Scheme{"calc:", ReferenceKind::fact},
    Scheme{"live:", ReferenceKind::fact}};

// The word around or directly before a position.
LineReference word_at(std::string_view line, std::size_t at, bool (*belongs)(char),
                      ReferenceKind kind) {
  std::size_t begin = std::min(at, line.size()), end = begin;
  while (begin > 0 && belongs(line[begin - 1])) --begin;
  while (end < line.size() && belongs(line[end])) ++end;
  return {kind, std::string(line.substr(begin, end - begin)), begin, end};
}

// The kind of reference after the last "](". No value if no link's target is open there.
std::optional<ReferenceKind> kind_in_link(std::string_view before) {
  const auto open = before.rfind("](");
  if (open == before.npos || before.find(')', open) != before.npos) return std::nullopt;
  std::string_view target = before.substr(open + 2);
  if (target.starts_with('<')) target.remove_prefix(1);
  for (const auto& [begin, kind] : schemes)
    if (target.starts_with(begin)) return kind;
  if (target.find(':') != target.npos) return std::nullopt;
  return ReferenceKind::place;
}

bool in_citation(std::string_view before) {
  const auto open = before.rfind("[@");
  return open != before.npos && before.find(']', open) == before.npos;
}

// The kind of name in a line of a block: "spec: round", or facts in expressions.
std::optional<ReferenceKind> kind_in_block(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.starts_with("spec:")) return ReferenceKind::spec;
  if (text.starts_with("source:")) return ReferenceKind::file;
  const auto colon = text.find(": ");
  const bool key = colon != text.npos && std::ranges::all_of(text.substr(0, colon), is_name);
  return key ? std::optional(ReferenceKind::fact) : std::nullopt;
}

std::optional<ReferenceKind> kind_at(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  if (const auto kind = kind_in_link(before)) return kind;
  if (in_citation(before)) return ReferenceKind::work;
  return std::nullopt;
}

}  // namespace

std::optional<LineReference> reference_at(std::string_view line, std::size_t at) {
  const auto in_text = kind_at(line, at);
  const auto kind = in_text ? in_text : kind_in_block(line);
  if (!kind) return std::nullopt;
  const bool target = *kind == ReferenceKind::place || *kind == ReferenceKind::file;
  auto found = word_at(line, at, target ? is_target : is_name, *kind);
  while (found.name.ends_with('.')) found.name.pop_back(), --found.end;
  if (found.name.empty()) return std::nullopt;
  // A name without a point cannot be a fact; looking it up finds nothing.
  return found;
}

std::optional<LineReference> unfinished_reference(std::string_view line) {
  const auto in_text = kind_at(line, line.size());
  const auto kind = in_text ? in_text : kind_in_block(line);
  if (!kind) return std::nullopt;
  const bool target = *kind == ReferenceKind::place || *kind == ReferenceKind::file;
  return word_at(line, line.size(), target ? is_target : is_name, *kind);
}

namespace {
constexpr std::string_view specs_folder = "figures/specs/", json = ".json";

// Sets the place of a name to that member of a file of facts.
void set_place(const FileSystem& files, const std::vector<std::string>& paths,
               const std::string& id, KnownName& name) {
  const std::string key = '"' + id + "\":";
  for (const auto& path : paths) {
    const auto text = files.read(path);
    const auto at = text ? text->find(key) : std::string::npos;
    if (at == std::string::npos) continue;
    name.file = path;
    name.offset = at + 1;
    return;
  }
}

KnownName named(const figures::Facts& facts, const figures::Fact& fact, const References& library) {
  KnownName name{fact.text, {}};
  const figures::Thing* thing = facts.thing_of(fact.id);
  name.about = "**" + fact.text + "**" + (thing ? ", " + thing->title : "");
  if (!fact.status.empty()) name.about += "  \n" + fact.status + ", as of " + fact.as_of;
  if (!fact.from.empty()) name.about += "  \n`= " + fact.from + '`';
  if (!fact.note.empty()) name.about += "  \n" + fact.note;
  for (const auto& source : fact.sources) {
    const auto work = library.references.find(source);
    if (work != library.references.end())
      name.about += "\n\n" + work->second.title + ' ' + work->second.url;
  }
  return name;
}

// A number that counts through the book cannot be computed from one chapter.
std::string numbered(const Anchor& anchor, const Entry& entry) {
  const std::string kind(kind_word(anchor.kind));
  const bool is_known = !anchor.number.empty() && !entry.label.empty();
  const std::string number = is_known ? kind + ' ' + anchor.number : kind;
  return anchor.title.empty() ? number : number + ", " + anchor.title;
}

// Indexes a page from its text.
ChapterIndex index_in(const FileSystem& files, const Entry& entry) {
  const Source source(entry.file, files.read(entry.file).value_or(""));
  Diagnostics ignored;
  const FrontMatter front = parse_front_matter(source, ignored);
  const auto document =
      parse_markdown(extract_lines(source, front.body_line, source.line_count()), ignored);
  if (document) return index_chapter(entry, source, front, *document, ignored);
  ChapterIndex index;
  index.entry = &entry;
  index.front = front;
  return index;
}

}  // namespace

void BookNames::read_facts(const FileSystem& files) {
  Packer all;
  const auto paths = files.list("chapters/facts");
  for (const auto& path : paths) all.add(files.digest_of(Dependency::file(path)));
  const Digest now = digest(all.bytes);
  if (now == facts_text_) return;
  facts_text_ = now;
  Diagnostics reported_by_check;
  figures::Facts facts;
  load_facts(files, facts, reported_by_check);
  const References library = load_references(files, reported_by_check);
  facts_.clear(), terms_.clear(), works_.clear();
  for (const auto& fact : facts.all()) {
    KnownName name = named(facts, fact, library);
    set_place(files, paths, fact.id, name);
    facts_.emplace(fact.id, std::move(name));
  }
  for (const auto& [id, term] : library.terms) {
    KnownName name{term.term, "**" + term.term + "**: " + term.definition};
    set_place(files, {"chapters/facts/glossary.json"}, id, name);
    terms_.emplace(id, std::move(name));
  }
  for (const auto& [id, work] : library.references) {
    const std::string authors = short_authors(work);
    KnownName name{work.title, (authors.empty() ? "" : authors + ": ") + "**" + work.title + "**"};
    if (work.year > 0) name.about += ", " + std::to_string(work.year);
    name.about += "  \n" + work.url;
    if (!work.compared) name.about += "\n\nNobody has compared it with the work yet.";
    set_place(files, {"chapters/facts/references.json"}, id, name);
    works_.emplace(id, std::move(name));
  }
}

void BookNames::read_chapters(const FileSystem& files, const IndexOf& index_of) {
  Diagnostics reported_by_check;
  const auto book = load_book(files, reported_by_check, nullptr, Drafts::shown);
  if (!book) return;  // keep what was known
  std::map<std::string, Chapter> before = std::move(chapters_);
  chapters_.clear();
  const auto read = [&](const Entry& entry) {
    const Digest text = files.digest_of(Dependency::file(entry.file));
    const auto old = before.find(entry.file);
    if (old != before.end() && old->second.text == text) {
      chapters_[entry.file] = std::move(old->second);
      return;
    }
    const ChapterIndex index = index_of ? index_of(entry) : index_in(files, entry);
    const std::string title = entry.before_title() + index.front.title;
    Chapter chapter{text, {title, index.front.summary, entry.file, 0}, {}};
    for (const auto& anchor : index.anchors)
      chapter.anchors[anchor.id] = {numbered(anchor, entry), {}, entry.file, anchor.offset};
    chapters_[entry.file] = std::move(chapter);
  };
  std::vector<const Book*> all{&*book};
  for (const auto& locale : book->locales) all.push_back(&locale);
  for (const Book* one : all) {
    for (const auto* list : {&one->chapters, &one->pages}) std::ranges::for_each(*list, read);
  }
}

void BookNames::read(const FileSystem& files, const IndexOf& index_of) {
  read_facts(files);
  read_chapters(files, index_of);
  specs_.clear();
  for (const auto& path : files.list("figures/specs")) {
    if (!path.ends_with(json)) continue;
    const auto name =
        path.substr(specs_folder.size(), path.size() - specs_folder.size() - json.size());
    specs_[name] = {"figures/specs/" + name + ".json", {}, path, 0};
  }
}

KnownNames BookNames::of(ReferenceKind kind, const std::string& file) const {
  switch (kind) {
    case ReferenceKind::fact:
    case ReferenceKind::claim: return facts_;
    case ReferenceKind::term: return terms_;
    case ReferenceKind::work: return works_;
    case ReferenceKind::spec: return specs_;
    case ReferenceKind::file: return {};
    case ReferenceKind::place: break;
  }
  KnownNames links;
  const std::string folder = file.substr(0, file.rfind('/') + 1);
  for (const auto& [path, chapter] : chapters_) {
    const bool here = path == file;
    const std::string link = here ? "" : link_to(path, file);
    if (!here && path.starts_with(folder)) links[link] = chapter.name;
    for (const auto& [id, anchor] : chapter.anchors) links[link + '#' + id] = anchor;
  }
  return links;
}

std::optional<KnownName> BookNames::place(const std::string& link, const std::string& file) const {
  const auto hash = link.find('#');
  const std::string path = link.substr(0, hash);
  const auto target = path.empty() ? std::optional(file) : resolve_path(file, path);
  const auto chapter = target ? chapters_.find(*target) : chapters_.end();
  if (chapter == chapters_.end()) return std::nullopt;
  if (hash == link.npos) return chapter->second.name;
  const auto anchor = chapter->second.anchors.find(link.substr(hash + 1));
  return anchor == chapter->second.anchors.end() ? std::nullopt : std::optional(anchor->second);
}

std::optional<KnownName> BookNames::find(const LineReference& reference,
                                         const std::string& file) const {
  if (reference.kind == ReferenceKind::place) return place(reference.name, file);
  if (reference.kind == ReferenceKind::file) {
    const auto path = normal_path(reference.name.substr(0, reference.name.find('#')));
    return path ? std::optional(KnownName{*path, {}, *path, 0}) : std::nullopt;
  }
  const KnownNames names = of(reference.kind, file);
  const auto found = names.find(reference.name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace primer
