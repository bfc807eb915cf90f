// Links, images and citations. Links that are numbers are in value_link.cpp.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/load/shown_source.hpp"
#include "generator/core/pictures/image.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {
// Citations: `[@id]` or `[@a; @b]`, numbered in the order of first use, and the list of references.

namespace {
// The ids in "[@a; @b]": "a" and "b".
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
  const auto separate = [&] {
    if (!std::exchange(first, false)) out.text(", ");
  };
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
    } else if (!reference->compared) {
      error(Rule::unknown_citation, offset, word.size(), not_compared(id));
      diagnostics.hint(how_to_compare);
    }
    separate();
    // If this is only a warning, readers see what the author wrote.
    if (!reference || !reference->compared) {
      out.text(word);
      continue;
    }
    out.element("a", {{"href", "#ref-" + id}}, citation_number(id));
  }
  out.text("]").close();
}

// Shows up to two works in the margin that this section cites for the first time. The list at the
// end holds all works, and citation numbers link to it.
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
  out.open("details", {{"class", "fold"}}).line().open("summary").line();
  out.element("h2", {{"id", "reference-list"}}, word("References")).line();
  out.empty("br").open("span", {{"class", "fold-line"}});
  const char* works = cited_.size() == 1 ? "{n} work" : "{n} works";
  out.element("span", {{"class", "label"}}, shared.words(works, std::to_string(cited_.size())));
  out.close().line().close().line();
  // Titles and venues stay in the source language of the book.
  const std::string foreign = shared.foreign();
  out.open("ol", {{"class", "references"}, {"lang", foreign, !foreign.empty()}}).line();
  for (const auto& id : cited_) {
    out.open("li", {{"id", "ref-" + id}});
    write_reference(out, *shared.library.reference(id));
    out.close().line();
  }
  out.close().line().close().line();
}

// Images with a caption above them, such as "Figure fig-die width=50%: The chip." They are numbered
// along with the chapter's figures.

// The CSS class of the width in the caption, or "" after a diagnostic.
static std::string class_of_width(Emitter& emitter, const Caption& caption) {
  std::vector<std::string> widths;
  for (const int width : picture_widths) widths.push_back(std::to_string(width) + '%');
  if (caption.width.empty()) return "picture";
  if (std::ranges::find(widths, caption.width) != widths.end())
    return "picture width-" + caption.width.substr(0, caption.width.size() - 1);
  emitter.error(Rule::bad_caption, caption.id_offset + caption.id.size() + 1,
                caption.width.size() + 6, "unsupported image width " + in_quotes(caption.width));
  emitter.diagnostics.hint("expected one of " + join(widths, ", ") +
                           " of the text's width, or none for the image's own size");
  return "picture";
}

void Emitter::picture(const Caption& caption, const Node& paragraph) {
  check_caption_word(caption);
  out.open("figure", {{"class", class_of_width(*this, caption)}, {"id", caption.id}}).line();
  emit_image(*this, *lone_image(paragraph));
  out.line().open("figcaption");
  out.element("span", {{"class", "label"}},
              label(chapter.at(paragraph.offset), AnchorKind::figure));
  out.text(" ");
  inlines(caption.text);
  out.close().line().close().line();
}

// Links: the book's own schemes, cross-references, other files of the site, and external addresses.
// Schemes are on an allowlist; everything else is an error.

namespace {
// The scheme of "scheme:rest". A path or a fragment has none.
std::string_view scheme_of(std::string_view url) {
  const auto end = url.find_first_of(":/?#");
  if (end == url.npos || url[end] != ':') return {};
  return url.substr(0, end);
}

bool is_web_address(std::string_view url) {
  return url.starts_with("https://") || url.starts_with("http://") || url.starts_with("mailto:");
}

// Percent-encodes characters that cannot be in an address.
std::string encode_address(std::string_view url) {
  return percent_encoded(url, "-_.!~*'();/?:@&=+$,#%");
}

// Percent-encodes the path of a file. A "%" in the name is encoded too, so "%2e" does not become a
// dot.
std::string encode_path(std::string_view path) { return percent_encoded(path, "-_.!~*'()/"); }

void warn_of_host(Emitter& emitter, const Node& node, const std::string& host) {
  const bool ascii =
      std::ranges::all_of(host, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return;
  const auto mixed = mixed_scripts(host);
  emitter.diagnostics.warning(Rule::mixed_scripts, emitter.source, node.url_offset, node.url.size(),
                              "the host " + in_quotes(host) + " is " + punycode_host(host) +
                                  (mixed.empty() ? "" : "; it contains " + mixed.front().name));
}

// Whether the address is valid. Reports what is wrong.
bool check_address(Emitter& emitter, const Node& node) {
  if (const auto fault = address_fault(node.url)) {
    emitter.error(Rule::misleading_link, node.url_offset, node.url.size(), fault->message);
    emitter.diagnostics.hint(fault->hint);
    return false;
  }
  const std::string host = host_of(node.url), named = host_named_by(plain_text(node));
  if (!named.empty() && !is_expected_host(named, host)) {
    emitter.error(
        Rule::misleading_link, node.offset, 1,
        "the text names " + in_quotes(named) + ", but the link leads to " + in_quotes(host));
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

// Decodes "my%20pic.png", as other tools and address bars write file names, to "my pic.png".
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

// Target of a relative link. No value after a diagnostic.
struct Target {
  const ChapterIndex* chapter = nullptr;
  const Anchor* anchor = nullptr;  // null: the whole page
};

// The page at a present or former address ("/matmul/"), or the page of a file given from the root
// of the book.
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

// Finds an anchor, percent-encoded or not: address bars give "%C3%89t%C3%A9" for "Été", GitHub
// "été".
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

// A link whose text is only the kind ("Figure") gets the number of its target: " 1.2".
std::string number_for(const Emitter& emitter, const Node& node, const Target& target) {
  const std::string word = plain_text(node);
  const auto is = [&](std::string_view kind) {
    return !word.empty() && word.substr(1) == kind.substr(1) &&
           (word[0] == kind[0] || word[0] == kind[0] - 'A' + 'a');
  };
  // An untranslated caption on a page in another language has the original's word for the kind.
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

// The page whose file name is most similar, in whichever directory.
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

// The file that a link means: from the root of the book if the link begins with a slash, otherwise
// relative to the chapter. "%20" is decoded only if no file has the undecoded name. No value if the
// path leaves the book.
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

// Types that browsers display or save without running them.
constexpr std::string_view downloads[] = {
    ".bib", ".c",     ".cc",   ".cpp", ".csv",  ".cu",  ".go",  ".gz",   ".h",
    ".hpp", ".ipynb", ".java", ".jl",  ".json", ".m",   ".npy", ".npz",  ".parquet",
    ".pdf", ".py",    ".r",    ".rs",  ".toml", ".tsv", ".txt", ".yaml", ".zip"};

// Whether the file is next to the chapter or next to the original of a translation.
bool is_beside(const Emitter& emitter, const std::string& file) {
  const auto is_below = [&](const std::string& language) {
    return file.starts_with("chapters/" + language + '/');
  };
  return is_below(emitter.chapter.entry->language) || is_below(emitter.shared.book.source_language);
}

bool is_download(std::string_view file) {
  return std::ranges::any_of(downloads, [&](auto end) { return file.ends_with(end); });
}

// Links to a file for download. True: the link was written or refused with a diagnostic.
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

// Reports that no file of the site has this address, and why.
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
      return report(" is a directory, not a page", nearest_chapter(emitter, path));
    emitter.error(Rule::dead_link, node.url_offset, path.size(),
                  "there is no " + in_quotes(file) + " in the book",
                  path.starts_with("www.") ? "https://" + path : nearest_chapter(emitter, path));
    return;
  }
  if (file.ends_with(".md")) {
    report(" is not a chapter or page of the book", nearest_chapter(emitter, path));
    return emitter.diagnostics.hint("list it under chapters or pages in book.yaml");
  }
  const std::string language = emitter.chapter.entry->language;
  if (!is_beside(emitter, file)) {
    report(" is not published: downloads must be in chapters/" + language + '/');
  } else {
    report(" is not published: files of this type cannot be downloaded");
    emitter.diagnostics.hint(
        "downloads end with " +
        join(std::vector<std::string>(std::begin(downloads), std::end(downloads)), ", "));
  }
  emitter.diagnostics.hint("set a repository in book.yaml to link to other files there");
}

void local_link(Emitter& emitter, const Node& node) {
  const auto hash = node.url.find('#');
  const std::string path = node.url.substr(0, hash);
  const std::string fragment = hash == node.url.npos ? "" : node.url.substr(hash + 1);
  const auto target = find_target(emitter, node, path, fragment);
  if (target) {
    std::string href = path.empty() ? "" : emitter.relative(target->chapter->entry->url);
    if (href.empty() && !target->anchor) href = "#text";  // the beginning of the chapter
    if (target->anchor) href += '#' + target->anchor->id;
    open_anchor(emitter, href, node);
    emitter.out.text(number_for(emitter, node, *target)).close();
    return;
  }
  const auto file = file_of_link(emitter, path);
  if (file &&
      std::ranges::find(emitter.shared.book.drafts, *file) != emitter.shared.book.drafts.end()) {
    emitter.diagnostics.warning(Rule::dead_link, emitter.source, node.url_offset, path.size(),
                                in_quotes(*file) + " is a draft, so this link is left out");
    return emitter.inlines(node);
  }
  if (!file) {
    emitter.error(Rule::path_outside_book, node.url_offset, path.size(),
                  "the link " + in_quotes(path) + " leaves the book's directory");
    emitter.diagnostics.hint("link a chapter by its file: [text](01-roofline.md#id)");
    return emitter.inlines(node);
  }
  if (offer_download(emitter, node, *file)) return;
  // Files such as sources are shown by the repository.
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

// Replaces each character that is not printable ASCII by "?". The line comes from a rejected file,
// so it might contain escape sequences for a terminal. Columns stay the same.
std::string plain_line(std::string_view line) {
  std::string plain;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) plain += byte == '\t' || (byte >= 0x20 && byte < 0x7F) ? c : '?';
  }
  return plain;
}

// Reports an error in the image's own file, at its position there.
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
  diagnostics.hint("used at " + emitter.source.path() + ':' + std::to_string(at.line));
}

// Reports a link inside a link. Browsers end the outer link there, so the text after it would not
// be linked.
bool holds_another(Emitter& emitter, const Node& node) {
  const Node* inner = inner_link(node);
  if (!inner) return false;
  const std::string_view kind = inner->kind == NodeKind::link       ? "another link"
                                : inner->kind == NodeKind::citation ? "a citation"
                                                                    : "a side note";
  emitter.error(Rule::stray_mark, inner->offset, std::max<std::size_t>(inner->length, 1),
                "the text of a link cannot contain " + std::string(kind));
  emitter.diagnostics.hint("move it out of the brackets, after the link");
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
    emitter.error(Rule::dead_link, node.offset, 1, "this link has no destination");
    emitter.diagnostics.hint("write the address, or remove the brackets");
    return emitter.inlines(node);
  }
  const std::string rest(
      trim(std::string_view(node.url).substr(scheme.empty() ? 0 : scheme.size() + 1)));
  const bool is_own = !scheme.empty() && !is_web_address(node.url);
  if (!is_own && holds_another(emitter, node)) return emitter.inlines(node);
  if (scheme.empty()) return local_link(emitter, node);
  if (is_own && !node.title.empty())
    emitter.error(Rule::lost_text, node.url_offset, node.url.size(),
                  "the title " + in_quotes(node.title) + " is not shown: a " + std::string(scheme) +
                      ": link cannot have a title");
  if (is_number_link(node) && !stands_alone(emitter, node)) return;
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
                "unsupported link scheme " + in_quotes(std::string(scheme) + ':'),
                nearest(scheme, known));
  emitter.diagnostics.hint(
      "expected https:, http:, mailto:, fact:, calc:, live:, term:, claim: or a path inside the "
      "book");
}

void emit_image(Emitter& emitter, const Node& node) {
  const std::string alt = plain_text(node);
  // If the error is downgraded, the text of the image is shown instead.
  const auto refuse = [&](Rule rule, std::string message) {
    emitter.error(rule, node.url_offset, node.url.size(), std::move(message));
    emitter.out.text(alt);
  };
  if (!scheme_of(node.url).empty() || node.url.starts_with("//")) {
    return refuse(Rule::bad_image, "images must be files of the book, not web addresses");
  }
  const auto file = file_of_link(emitter, node.url);
  if (!file || !file->starts_with("chapters/")) {
    return refuse(Rule::path_outside_book, "images must be under chapters/");
  }
  if (auto fault = image_name_fault(*file); !fault.empty()) return refuse(Rule::bad_image, fault);
  if (alt.empty()) {
    refuse(Rule::bad_image, "missing alternative text for this image");
    emitter.diagnostics.hint("write it between the brackets: ![what it shows](file.svg)");
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
