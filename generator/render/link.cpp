// Links: the book's own schemes, cross-references, the rest of the site, the outside world.
// Anything that is none of these is an error: a scheme passes because it is on the list, never
// because it is not on another.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "generator/base/characters.hpp"
#include "generator/base/slug.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/base/web_address.hpp"
#include "generator/load/shown_source.hpp"
#include "generator/pictures/image.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

// "scheme" of "scheme:rest"; a path or a fragment has none.
std::string_view scheme_of(std::string_view url) {
  const auto end = url.find_first_of(":/?#");
  if (end == url.npos || url[end] != ':') return {};
  return url.substr(0, end);
}

bool is_web_address(std::string_view url) {
  return url.starts_with("https://") || url.starts_with("http://") || url.starts_with("mailto:");
}

// The address as a browser would ask for it: what cannot stand in one is percent-encoded.
std::string encode_address(std::string_view url) {
  return percent_encoded(url, "-_.!~*'();/?:@&=+$,#%");
}

// A path of files as an address: "%2e" is a name like any other, and means no dot.
std::string encode_path(std::string_view path) { return percent_encoded(path, "-_.!~*'()/"); }

void warn_of_host(Emitter& emitter, const Node& node, const std::string& host) {
  const bool ascii =
      std::ranges::all_of(host, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return;
  const auto mixed = mixed_scripts(host);
  emitter.diagnostics.warning(Rule::mixed_scripts, emitter.source, node.url_offset, node.url.size(),
                              "the host " + in_quotes(host) + " is " + punycode_host(host) +
                                  (mixed.empty() ? "" : "; it holds " + mixed.front().name));
}

// Whether a link says where it leads.
bool check_address(Emitter& emitter, const Node& node) {
  if (const auto fault = address_fault(node.url)) {
    emitter.error(Rule::misleading_link, node.url_offset, node.url.size(), fault->message);
    emitter.diagnostics.hint(fault->hint);
    return false;
  }
  const std::string host = host_of(node.url), named = host_named_by(plain_text(node));
  if (!named.empty() && !is_expected_host(named, host)) {
    emitter.error(Rule::misleading_link, node.offset, 1,
                  "the text names " + in_quotes(named) + ", the link leads to " + in_quotes(host));
    return false;
  }
  warn_of_host(emitter, node, host);
  return true;
}

void open_anchor(Emitter& emitter, const std::string& href, const Node& node,
                 bool download = false) {
  emitter.out.open(
      "a",
      {{"href", href}, {"title", node.title, !node.title.empty()}, {"download", "", download}});
  emitter.inlines(node);
}

// "my pic.png" of "my%20pic.png", as other tools and address bars write it.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* digits = text.data() + i + 1;
    const bool escaped = text[i] == '%' && text.size() - i > 2 &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    out += escaped ? static_cast<char>(code) : text[i];
    if (escaped) i += 2;
  }
  return out;
}

// Where a relative link goes; nothing after a diagnostic.
struct Target {
  const ChapterIndex* chapter = nullptr;
  const Anchor* anchor = nullptr;  // null: the whole chapter
};

// The page at an address from the site's root ("/matmul/"), a former one too, or of a file from the book's.
const ChapterIndex* at_address(const Emitter& emitter, std::string_view path) {
  std::string_view address = path.substr(1);
  while (address.ends_with('/')) address.remove_suffix(1);
  const std::string& root = emitter.shared.book.root;
  if (!root.empty() && (std::string(address) + '/').starts_with(root))
    address.remove_prefix(std::min(root.size(), address.size()));
  for (const auto& chapter : emitter.shared.index.all()) {
    std::string_view url = chapter.entry->url;
    if (url.ends_with('/')) url.remove_suffix(1);
    const auto& former = chapter.front.aliases;
    if (url == address || chapter.entry->file == address ||
        std::ranges::find(former, address) != former.end())
      return &chapter;
  }
  return nullptr;
}

// Address bars give "%C3%89t%C3%A9" for "Été", and GitHub "été".
const Anchor* find_anchor(const ChapterIndex& chapter, std::string_view fragment) {
  const std::string decoded = percent_decoded(fragment);
  const bool is_ascii =
      std::ranges::all_of(decoded, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const Anchor* anchor = chapter.find(fragment);
  if (!anchor) anchor = chapter.find(decoded);
  return anchor || is_ascii ? anchor : chapter.find(lower_case(decoded));
}

std::optional<Target> find_target(Emitter& emitter, const Node& node, std::string_view path,
                                  std::string_view fragment) {
  Target target{&emitter.chapter, nullptr};
  if (path.starts_with('/')) {
    target.chapter = at_address(emitter, path);
    if (!target.chapter) return std::nullopt;
  } else if (!path.empty()) {
    const auto file = resolve_path(emitter.chapter.entry->file, path);
    target.chapter = file ? emitter.shared.index.by_file(*file) : nullptr;
    if (!target.chapter) return std::nullopt;
  }
  if (fragment.empty()) return target;
  target.anchor = find_anchor(*target.chapter, fragment);
  if (target.anchor || !target.chapter->whole) return target;
  if (percent_decoded(fragment) == github_slug(target.chapter->front.title)) return target;
  const std::size_t hash = node.url.find('#');
  emitter.error(Rule::dead_link, node.url_offset + hash + 1, fragment.size(),
                in_quotes(target.chapter->entry->file) + " has no " + in_quotes(fragment),
                emitter.tells() ? nearest(fragment, target.chapter->ids()) : "");
  return target;
}

// "Figure" → " 1.2": a link whose text is just the kind word gets the number.
std::string number_for(const Emitter& emitter, const Node& node, const Target& target) {
  const std::string word = plain_text(node);
  const auto is = [&](std::string_view kind) {
    return !word.empty() && word.substr(1) == kind.substr(1) &&
           (word[0] == kind[0] || word[0] == kind[0] - 'A' + 'a');
  };
  // A caption that is not translated stands among the page's own words.
  const RenderContext* original = emitter.chapter.entry->language == emitter.shared.book.language
                                      ? nullptr
                                      : emitter.shared.original;
  const auto is_word = [&](std::string_view english) {
    return is(emitter.word(english)) || (original && is(original->words(english)));
  };
  if (!target.anchor) {
    const Entry& entry = *target.chapter->entry;
    const bool named = is_word(entry.appendix ? "Appendix" : "Chapter");
    return named && !entry.number.empty() ? ' ' + entry.number : "";
  }
  const bool matches = is_word(kind_word(target.anchor->kind));
  return matches && !target.anchor->number.empty() ? ' ' + target.anchor->number : "";
}

// "../02-matmul.md" for what has nearly the right name, however wrong its directory is.
std::string nearest_chapter(const Emitter& emitter, const std::string& path) {
  if (!emitter.tells()) return {};
  std::map<std::string, std::string> links;
  std::vector<std::string> names;
  for (const auto& chapter : emitter.shared.index.all()) {
    const std::string& file = chapter.entry->file;
    names.push_back(file.substr(file.rfind('/') + 1));
    links[names.back()] = link_to(file, emitter.chapter.entry->file);
  }
  return links[nearest(path.substr(path.rfind('/') + 1), names)];
}

// The file that a link from the chapter means: the one that it names as it stands, from the book's root if it begins
// with a slash, else the one that a browser would ask for. Nothing when it leaves the book.
std::optional<std::string> file_of_link(const Emitter& emitter, const std::string& path) {
  const auto file_at = [&](std::string name) {
    name.resize(name.find_last_not_of('/') + 1);
    return name.size() > 1 && name.starts_with('/')
               ? normal_path(name.substr(1))
               : resolve_path(emitter.chapter.entry->file, name);
  };
  const auto file = file_at(path);
  if (path.find('%') == path.npos || (file && emitter.shared.files.read(*file))) return file;
  const auto decoded = file_at(percent_decoded(path));
  return decoded && emitter.shared.files.read(*decoded) ? decoded : file;
}

// What browsers show or keep without running it.
constexpr std::string_view downloads[] = {
    ".bib", ".c",     ".cc",   ".cpp", ".csv",  ".cu",  ".go",  ".gz",   ".h",
    ".hpp", ".ipynb", ".java", ".jl",  ".json", ".m",   ".npy", ".npz",  ".parquet",
    ".pdf", ".py",    ".r",    ".rs",  ".toml", ".tsv", ".txt", ".yaml", ".zip"};

// Whether a file stands next to the chapter, or to the one that it translates.
bool is_beside(const Emitter& emitter, const std::string& file) {
  const auto is_below = [&](const std::string& language) {
    return file.starts_with("chapters/" + language + '/');
  };
  return is_below(emitter.chapter.entry->language) || is_below(emitter.shared.book.source_language);
}

bool is_download(std::string_view file) {
  return std::ranges::any_of(downloads, [&](auto end) { return file.ends_with(end); });
}

// True: the link is made, or refused.
bool offer_download(Emitter& emitter, const Node& node, const std::string& file) {
  if (!is_beside(emitter, file) || !is_download(file) || !emitter.shared.files.read(file))
    return false;
  const auto& public_files = emitter.shared.book.public_files;
  const auto why = why_not_shown(emitter.shared.files, {"chapters"}, public_files, file);
  if (!why.empty()) {
    emitter.error(Rule::private_source, node.url_offset, node.url.size(), why);
    return true;
  }
  emitter.offer_file(file);
  emitter.show_file(file);
  open_anchor(emitter, encode_path(emitter.relative(published_download(file))), node, true);
  emitter.out.close();
  return true;
}

// Why nothing of the site has the address of `file`.
void dead_link(Emitter& emitter, const Node& node, const std::string& path,
               const std::string& file) {
  const FileSystem& files = emitter.shared.files;
  const auto report = [&](const std::string& what, std::string suggestion = {}) {
    emitter.error(Rule::dead_link, node.url_offset, path.size(), in_quotes(file) + what,
                  std::move(suggestion));
  };
  if (!files.link_in(file).empty())
    return report(": " + files.why_unreadable(file).message, nearest_chapter(emitter, path));
  if (!files.read(file)) {
    if (!files.list(file).empty())
      return report(" is a directory, which is no page", nearest_chapter(emitter, path));
    emitter.error(Rule::dead_link, node.url_offset, path.size(),
                  "there is no " + in_quotes(file) + " in the book",
                  path.starts_with("www.") ? "https://" + path : nearest_chapter(emitter, path));
    return;
  }
  if (file.ends_with(".md")) {
    report(" is no chapter or page of the book", nearest_chapter(emitter, path));
    return emitter.diagnostics.hint("book.yaml lists the chapters and pages");
  }
  const std::string language = emitter.chapter.entry->language;
  if (!is_beside(emitter, file)) {
    report(" is not published: files for download lie below chapters/" + language + '/');
  } else {
    report(" is not published: it is none of the files that readers can download");
    emitter.diagnostics.hint(
        "these end with " +
        join(std::vector<std::string>(std::begin(downloads), std::end(downloads)), ", "));
  }
  emitter.diagnostics.hint("with a repository in book.yaml, links to other files lead there");
}

void local_link(Emitter& emitter, const Node& node) {
  const auto hash = node.url.find('#');
  const std::string path = node.url.substr(0, hash);
  const std::string fragment = hash == node.url.npos ? "" : node.url.substr(hash + 1);
  const auto target = find_target(emitter, node, path, fragment);
  if (target) {
    std::string href = path.empty() ? "" : emitter.relative(target->chapter->entry->url);
    if (href.empty() && !target->anchor) href = "#text";  // the chapter's beginning
    if (target->anchor) href += '#' + target->anchor->id;
    open_anchor(emitter, href, node);
    emitter.out.text(number_for(emitter, node, *target)).close();
    return;
  }
  const auto file = file_of_link(emitter, path);
  if (file &&
      std::ranges::find(emitter.shared.book.drafts, *file) != emitter.shared.book.drafts.end()) {
    emitter.diagnostics.warning(Rule::dead_link, emitter.source, node.url_offset, path.size(),
                                in_quotes(*file) + " is a draft, so nothing leads to it");
    return emitter.inlines(node);
  }
  if (!file) {
    emitter.error(Rule::path_outside_book, node.url_offset, path.size(),
                  "the link " + in_quotes(path) + " leaves the book's directory");
    emitter.diagnostics.hint("a chapter is linked by its file: [text](01-roofline.md#id)");
    return emitter.inlines(node);
  }
  if (offer_download(emitter, node, *file)) return;
  // Source files and the like: the repository shows them.
  const bool in_repository = !emitter.shared.book.repository.empty() && !path.ends_with(".md");
  if (in_repository && emitter.shared.files.read(*file)) {
    open_anchor(emitter, emitter.shared.book.repository.file(*file), node);
    emitter.out.close();
    return;
  }
  dead_link(emitter, node, path, *file);
  emitter.inlines(node);
}

void term_link(Emitter& emitter, const Node& node, const std::string& id) {
  const Term* term = emitter.shared.library.term(id);
  if (!term) {
    std::vector<std::string> known;
    for (const auto& [name, value] : emitter.shared.library.terms()) {
      if (emitter.tells()) known.push_back(name);
    }
    emitter.error(Rule::unknown_term, node.url_offset + 5, id.size(),
                  "the glossary has no " + in_quotes(id), nearest(id, known));
    return emitter.inlines(node);
  }
  emitter.with_tip("dfn", "term", node, {{term->definition, emitter.foreign(*term)}});
}

// One character for each of the line: a file that is refused may hold what no terminal should be given.
std::string plain_line(std::string_view line) {
  std::string plain;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) plain += byte == '\t' || (byte >= 0x20 && byte < 0x7F) ? c : '?';
  }
  return plain;
}

// About the image's own file, at the place where a drawing is at fault.
void image_error(Emitter& emitter, const Node& node, const std::string& file,
                 const std::string& bytes, const figures::Error& error) {
  Diagnostics& diagnostics = emitter.diagnostics;
  if (file.ends_with(".svg") && !bytes.empty()) {
    Diagnostic& placed = diagnostics.error(Rule::bad_image, Source(file, bytes), error.offset,
                                           error.length, error.message);
    placed.excerpt = plain_line(placed.excerpt);
  } else {
    diagnostics.error(Rule::bad_image, file, error.message);
  }
  const Position at = emitter.source.position(node.url_offset);
  diagnostics.hint("it is shown in " + emitter.source.path() + ':' + std::to_string(at.line));
}

// Browsers end a link where another begins, so the words behind that would lead nowhere.
bool holds_another(Emitter& emitter, const Node& node) {
  const Node* inner = inner_link(node);
  if (!inner) return false;
  const std::string_view kind = inner->kind == NodeKind::link       ? "another link"
                                : inner->kind == NodeKind::citation ? "a citation"
                                                                    : "a side note";
  emitter.error(Rule::stray_mark, inner->offset, std::max<std::size_t>(inner->length, 1),
                "the text of a link cannot hold " + std::string(kind));
  emitter.diagnostics.hint("move it out of the brackets, behind the link");
  return true;
}

}  // namespace

void emit_link(Emitter& emitter, const Node& node) {
  const std::string_view scheme = scheme_of(node.url);
  if (plain_text(node).empty() && node.children.empty()) {
    emitter.error(Rule::empty_reference, node.offset, 2, "the link has no text");
    return;
  }
  const std::string_view destination = trim(node.url);
  if (destination.empty() || destination == "#") {
    emitter.error(Rule::dead_link, node.offset, 1,
                  "this link leads nowhere: it has no destination");
    emitter.diagnostics.hint("write the address, or leave the brackets out");
    return emitter.inlines(node);
  }
  const std::string rest(
      trim(std::string_view(node.url).substr(scheme.empty() ? 0 : scheme.size() + 1)));
  const bool is_own = !scheme.empty() && !is_web_address(node.url);
  if (!is_own && holds_another(emitter, node)) return emitter.inlines(node);
  if (scheme.empty()) return local_link(emitter, node);
  if (is_own && !node.title.empty())
    emitter.error(Rule::lost_text, node.url_offset, node.url.size(),
                  "a link with " + in_quotes(std::string(scheme) + ':') + " shows no title, so " +
                      in_quotes(node.title) + " is on no page");
  const bool is_number =
      scheme == "fact" || scheme == "calc" || scheme == "live" || scheme == "claim";
  if (is_number && !stands_alone(emitter, node)) return;
  if (scheme == "fact") return fact_link(emitter, node, rest);
  if (scheme == "calc") return calc_link(emitter, node, rest);
  if (scheme == "live") return live_link(emitter, node, rest);
  if (scheme == "term") return term_link(emitter, node, rest);
  if (scheme == "claim") return claim_link(emitter, node, rest);
  if (is_web_address(node.url)) {
    if (!check_address(emitter, node)) return;
    open_anchor(emitter, encode_address(node.url), node);
    emitter.out.close();
    return;
  }
  static const std::vector<std::string> known = {"https", "http", "mailto", "fact",
                                                 "calc",  "live", "term",   "claim"};
  emitter.error(Rule::unsafe_link, node.url_offset, scheme.size() + 1,
                "links cannot have the scheme " + in_quotes(std::string(scheme) + ':'),
                nearest(scheme, known));
  emitter.diagnostics.hint(
      "allowed are https:, http:, mailto:, fact:, calc:, live:, term:, claim: "
      "and paths inside the book");
}

void emit_image(Emitter& emitter, const Node& node) {
  const std::string alt = plain_text(node);
  // Its text is what is left where the book goes on.
  const auto refuse = [&](Rule rule, std::string message) {
    emitter.error(rule, node.url_offset, node.url.size(), std::move(message));
    emitter.out.text(alt);
  };
  if (!scheme_of(node.url).empty() || node.url.starts_with("//")) {
    return refuse(Rule::bad_image, "images are files of the book, not addresses");
  }
  const auto file = file_of_link(emitter, node.url);
  if (!file || !file->starts_with("chapters/")) {
    return refuse(Rule::path_outside_book, "images lie under chapters/");
  }
  if (auto fault = image_name_fault(*file); !fault.empty()) return refuse(Rule::bad_image, fault);
  if (alt.empty()) {
    refuse(Rule::bad_image, "the image needs a text for who cannot see it");
    emitter.diagnostics.hint("it goes between the brackets: ![what it shows](file.svg)");
  }
  const auto bytes = emitter.shared.files.read(*file);
  if (!bytes) {
    const Unreadable why = emitter.shared.files.why_unreadable(*file);
    return refuse(Rule::bad_image, why.message.empty() ? "there is no " + in_quotes(*file)
                                                       : in_quotes(*file) + ": " + why.message);
  }
  const auto image = clean_image(*file, *bytes, emitter.shared.cache);
  if (!image) {
    image_error(emitter, node, *file, *bytes, image.error());
    return emitter.out.text(alt), void();
  }
  emitter.use_image(*file);
  const auto side = [&](int pixels) { return std::to_string(pixels); };
  const ImageSize size = image->size.value_or(ImageSize());
  emitter.out.empty("img", {{"src", encode_path(emitter.relative(published_image(*file)))},
                            {"alt", alt},
                            {"title", node.title, !node.title.empty()},
                            {"loading", "lazy"},
                            {"width", side(size.width), image->size.has_value()},
                            {"height", side(size.height), image->size.has_value()}});
}

std::string published_image(std::string_view file) {
  return "images/" + std::string(file.substr(std::string_view("chapters/").size()));
}

std::string published_download(std::string_view file) {
  return "files/" + std::string(file.substr(std::string_view("chapters/").size()));
}

}  // namespace primer
