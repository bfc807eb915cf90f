#include "generator/core/publish/epub.hpp"

#include <zip.h>

#include <memory>

#include "generator/core/base/html.hpp"
#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/pictures/image.hpp"
#include "generator/core/publish/plain_content.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

constexpr const char* xml_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
constexpr const char* epub_names = "http://www.idpf.org/2007/ops";

constexpr const char* container =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">"
    "<rootfiles><rootfile full-path=\"book/package.opf\" "
    "media-type=\"application/oebps-package+xml\"/></rootfiles></container>\n";

// E-readers have their own styles; this adds only what they cannot know. Many do not support
// logical properties, so style_of() swaps left and right for right-to-left books.
constexpr const char* style =
    "body { line-height: 1.5; }\n"
    "table { border-collapse: collapse; margin: 1em 0; }\n"
    "th, td { border-bottom: 1px solid #d8d1c3; padding: 0.2em 0.6em; text-align: left; }\n"
    "figure { margin: 1.5em 0; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "figcaption, caption, .label { font-size: 0.85em; }\n"
    ".label { font-weight: bold; }\n"
    ".callout, .worked, section { border-left: 3px solid #d8d1c3; padding-left: 1em; margin: 1em 0; }\n"
    ".equation { text-align: center; margin: 1em 0; }\n"
    "pre { white-space: pre-wrap; font-size: 0.85em; }\n";

std::string style_of(const Book& book) {
  return is_right_to_left(book.language) ? replace_all(style, "left", "right") : style;
}

using Files = std::vector<std::pair<std::string, std::string>>;  // in the order of the archive

std::string file_name(const Entry& entry) {
  std::string name = entry.url;
  while (!name.empty() && name.back() == '/') name.pop_back();
  return name + ".xhtml";
}

// The address in the e-book of what `from` links to.
std::string address_in_archive(const Book& book, const std::vector<EpubChapter>& chapters,
                               const Entry& from, const std::string& to) {
  if (to.starts_with('#')) return to;
  const std::string whole = absolute_url(book.base_url + from.url, to);
  for (const auto& chapter : chapters) {
    for (const auto& [path, bytes] : chapter.images) {
      if (whole == book.base_url + path) return path;
    }
    if (const auto id = id_within(book.base_url + chapter.entry->url, whole))
      return file_name(*chapter.entry) + (id->empty() ? "" : '#' + *id);
  }
  return whole;
}

void begin_document(Html& out, const Book& book, const std::string& title) {
  out.raw(xml_head).raw("<!DOCTYPE html>\n");
  out.open("html", {{"xmlns", "http://www.w3.org/1999/xhtml"},
                    {"xmlns:epub", epub_names},
                    {"lang", book.language},
                    {"xml:lang", book.language}});
  out.line().open("head").element("title", {}, title);
  out.empty("link", {{"rel", "stylesheet"}, {"href", "style.css"}})
      .close()
      .line()
      .open("body")
      .line();
}

std::string end_document(Html& out) {
  return with_directions(out.line().close().close().line().take());
}

Result<std::string> document(const Book& book, const std::vector<EpubChapter>& chapters,
                             const EpubChapter& chapter) {
  const auto address = [&](const std::string& to) {
    return address_in_archive(book, chapters, *chapter.entry, to);
  };
  const auto plain = [&](const std::string& html) {
    return plain_content(html, figures::Theme::print, Markup::xhtml, address);
  };
  const std::string body = plain(chapter.body);
  if (body.empty()) return Error{chapter.entry->file + " does not become well-formed XHTML"};
  Html out;
  begin_document(out, book, chapter.title);
  out.element("h1", {}, chapter.entry->before_title() + chapter.title).line();
  out.element("p", {}, chapter.summary).line();
  out.raw(body).line();
  return end_document(out);
}

std::string navigation(const Book& book, const Messages& words,
                       const std::vector<EpubChapter>& chapters) {
  Html out;
  begin_document(out, book, book.title);
  out.open("nav", {{"epub:type", "toc"}}).element("h1", {}, words("Contents")).open("ol").line();
  bool in_part = false;
  for (const auto& chapter : chapters) {
    const std::string part = book.part_of(*chapter.entry);
    if (in_part && !part.empty()) out.close().close().line();
    in_part = in_part || !part.empty();
    if (!part.empty()) out.open("li").element("span", {}, part).open("ol").line();
    out.open("li").element("a", {{"href", file_name(*chapter.entry)}},
                           chapter.entry->before_title() + chapter.title);
    out.close().line();
  }
  if (in_part) out.close().close();
  out.close().close();
  return end_document(out);
}

void add_item(Html& out, const std::string& id, const std::string& href, const std::string& type,
              const std::string& properties) {
  if (properties.empty()) {
    out.empty("item", {{"id", id}, {"href", href}, {"media-type", type}}).line();
  } else {
    out.empty("item",
              {{"id", id}, {"href", href}, {"media-type", type}, {"properties", properties}})
        .line();
  }
}

// What a chapter's file contains besides XHTML. The package must declare it.
std::string properties_of(const std::string& text) {
  std::string properties;
  if (text.find("<math") != text.npos) properties = "mathml";
  if (text.find("<svg") != text.npos) properties += properties.empty() ? "svg" : " svg";
  return properties;
}

std::map<std::string, std::string> images_of(const std::vector<EpubChapter>& chapters) {
  std::map<std::string, std::string> images;
  for (const auto& chapter : chapters) images.insert(chapter.images.begin(), chapter.images.end());
  return images;
}

std::string package(const Book& book, const Messages& words,
                    const std::vector<EpubChapter>& chapters,
                    const std::map<std::string, std::string>& texts, const std::string& changed) {
  Html out;
  out.raw(xml_head).open("package", {{"xmlns", "http://www.idpf.org/2007/opf"},
                                     {"version", "3.0"},
                                     {"unique-identifier", "id"},
                                     {"xml:lang", book.language}});
  out.line().open("metadata", {{"xmlns:dc", "http://purl.org/dc/elements/1.1/"}}).line();
  out.element("dc:identifier", {{"id", "id"}}, book.base_url).line();
  out.element("dc:title", {}, book.title).line().element("dc:language", {}, book.language).line();
  out.element("dc:description", {}, book.subtitle).line();
  out.element("dc:creator", {}, book.author()).line();
  if (!book.license.empty()) out.element("dc:rights", {}, book.license).line();
  out.element("meta", {{"property", "dcterms:modified"}}, changed).line();
  // Accessibility metadata, which shops and libraries show.
  constexpr std::pair<const char*, const char*> access[] = {
      {"accessMode", "textual"},
      {"accessMode", "visual"},
      {"accessModeSufficient", "textual"},
      {"accessibilityFeature", "MathML"},
      {"accessibilityFeature", "alternativeText"},
      {"accessibilityFeature", "longDescription"},
      {"accessibilityFeature", "structuralNavigation"},
      {"accessibilityFeature", "tableOfContents"},
      {"accessibilityHazard", "none"}};
  for (const auto& [property, value] : access)
    out.element("meta", {{"property", std::string("schema:") + property}}, value).line();
  out.element("meta", {{"property", "schema:accessibilitySummary"}},
              words("Formulas are MathML. Each figure has a text description and a table of its "
                    "numbers."))
      .line();
  out.close().line();
  out.open("manifest").line();
  add_item(out, "contents", "contents.xhtml", "application/xhtml+xml", "nav");
  add_item(out, "style", "style.css", "text/css", "");
  for (const auto& chapter : chapters) {
    const std::string file = file_name(*chapter.entry);
    add_item(out, "c-" + file.substr(0, file.rfind('.')), file, "application/xhtml+xml",
             properties_of(texts.at(file)));
  }
  int images = 0;
  for (const auto& [path, bytes] : images_of(chapters)) {
    add_item(out, "i-" + std::to_string(++images), path, std::string(image_type(path)), "");
  }
  out.close().line();
  out.open("spine", {{"page-progression-direction", "rtl", is_right_to_left(book.language)}})
      .line();
  out.empty("itemref", {{"idref", "contents"}}).line();
  for (const auto& chapter : chapters) {
    const std::string file = file_name(*chapter.entry);
    out.empty("itemref", {{"idref", "c-" + file.substr(0, file.rfind('.'))}}).line();
  }
  return out.close().line().close().line().take();
}

Result<std::string> zipped(const Files& files) {
  zip_error_t error;
  zip_error_init(&error);
  const auto failed = [&](const char* what) {
    return Error{std::string("the e-book cannot be packed: ") + what};
  };
  zip_source_t* const source = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (!source) return failed(zip_error_strerror(&error));
  zip_source_keep(source);
  const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> kept(source, zip_source_free);
  zip_t* const archive = zip_open_from_source(source, ZIP_TRUNCATE, &error);
  if (!archive) return failed(zip_error_strerror(&error));
  for (const auto& [name, bytes] : files) {
    zip_source_t* const data = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const auto index = zip_file_add(archive, name.c_str(), data, ZIP_FL_ENC_UTF_8);
    // Reading systems expect the text of the first file at a fixed offset, so it is not compressed.
    const bool stored = name == "mimetype";
    // 1980-01-01, the earliest date of the format, so that the same chapters give the same bytes.
    if (index < 0 ||
        zip_set_file_compression(archive, index, stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 9) != 0 ||
        zip_file_set_dostime(archive, index, 0, 0x21, 0) != 0) {
      const auto failure = failed(zip_strerror(archive));
      zip_discard(archive);
      return failure;
    }
  }
  if (zip_close(archive) != 0) {
    const auto failure = failed(zip_strerror(archive));
    zip_discard(archive);
    return failure;
  }
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    return failed("no result");
  std::string bytes(stat.size, '\0');
  const auto read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read != static_cast<zip_int64_t>(bytes.size())) return failed("a short result");
  return bytes;
}

}  // namespace

Result<std::string> make_epub(const Book& book, const Messages& words,
                              const std::vector<EpubChapter>& chapters,
                              const std::string& changed) {
  std::map<std::string, std::string> texts;
  for (const auto& chapter : chapters) {
    auto text = document(book, chapters, chapter);
    if (!text) return text.error();
    texts[file_name(*chapter.entry)] = std::move(text.value());
  }
  Files files = {{"mimetype", "application/epub+zip"},
                 {"META-INF/container.xml", container},
                 {"book/package.opf", package(book, words, chapters, texts, changed)},
                 {"book/contents.xhtml", navigation(book, words, chapters)},
                 {"book/style.css", style_of(book)}};
  for (auto& [name, text] : texts) files.emplace_back("book/" + name, std::move(text));
  for (auto& [path, bytes] : images_of(chapters)) files.emplace_back("book/" + path, bytes);
  return zipped(files);
}

}  // namespace primer
