#include "generator/publish/print_page.hpp"

#include "generator/assemble/assets.hpp"
#include "generator/assemble/policy.hpp"
#include "generator/base/html.hpp"
#include "generator/base/language_rules.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/text.hpp"
#include "generator/publish/plain_content.hpp"

namespace primer {
namespace {

// No slug and no prefix of an id holds two hyphens, so no two names meet.
std::string anchor_of(const Entry& entry, const std::string& id) { return entry.slug + "--" + id; }

std::string numbered_title(const RenderedPage& part) {
  const auto& [entry, front] = std::tie(part.chapter->entry, part.chapter->front);
  return entry->before_title() + front.title;
}

// Where an address of `from` leads on the page.
std::string address_on_page(const Book& book, const std::vector<const RenderedPage*>& parts,
                            const Entry& from, const std::string& to) {
  const std::string whole = absolute_url(book.base_url + from.url, to);
  for (const RenderedPage* part : parts) {
    const Entry& entry = *part->chapter->entry;
    if (const auto id = id_within(book.base_url + entry.url, whole))
      return '#' + (id->empty() ? entry.slug : anchor_of(entry, *id));
  }
  return whole;
}

// The part's own title is of level two.
std::string one_level_down(std::string html) {
  for (const auto& [from, to] : {std::pair("h5", "h6"), std::pair("h4", "h5"),
                                 std::pair("h3", "h4"), std::pair("h2", "h3")}) {
    html = replace_all(html, std::string("<") + from, std::string("<") + to);
    html = replace_all(html, std::string("</") + from, std::string("</") + to);
  }
  return html;
}

std::string part_body(const Book& book, const std::vector<const RenderedPage*>& parts,
                      const RenderedPage& part) {
  const Entry& entry = *part.chapter->entry;
  const auto plain = [&](const std::string& html) {
    return plain_content(
        html, figures::Theme::print, Markup::html,
        [&](const std::string& to) { return address_on_page(book, parts, entry, to); },
        [&](const std::string& id) { return anchor_of(entry, id); });
  };
  Html out;
  out.open("article", {{"id", entry.slug}}).line().element("h2", {}, numbered_title(part)).line();
  if (!part.chapter->front.summary.empty()) {
    out.element("p", {{"class", "summary"}}, part.chapter->front.summary).line();
  }
  out.raw(one_level_down(plain(part.text.read()->body))).line();
  return out.close().line().take();
}

// Addresses depend on what the page holds.
std::string key_of(const Book& book, const std::vector<const RenderedPage*>& parts,
                   const RenderedPage& part) {
  Packer key;
  key.add(std::string("a part of the print page"));
  key.add(book.base_url);
  for (const RenderedPage* other : parts) key.add(other->chapter->entry->url);
  key.add(part.chapter->entry->url);
  key.add(numbered_title(part));
  key.add(part.chapter->front.summary);
  key.add(part.text.version());
  return std::move(key.bytes);
}

}  // namespace

std::string print_page(const Book& book, const Messages& words,
                       const std::vector<const RenderedPage*>& parts, const std::string& assets,
                       Cache* cache) {
  const std::string to_root = book.root.empty() ? "../" : "../../";
  Html out;
  // data-ready: no script will come that needs room.
  out.raw("<!DOCTYPE html>\n")
      .open("html", {{"lang", book.language}, {"data-theme", "light"}, {"data-ready", ""}})
      .line();
  out.open("head").line().empty("meta", {{"charset", "utf-8"}}).line();
  out.empty("meta",
            {{"http-equiv", "Content-Security-Policy"}, {"content", content_policy(book.base_url)}})
      .line();
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}})
      .line();
  out.empty("meta", {{"name", "robots"}, {"content", "noindex"}})
      .line();  // it says everything again
  out.element("title", {}, book.title).line();
  for (const std::string sheet : {"style.css", "pages.css", "right-to-left.css"}) {
    if (sheet == "right-to-left.css" && !is_right_to_left(book.language)) continue;
    out.empty("link", {{"rel", "stylesheet"}, {"href", to_root + assets + sheet}}).line();
  }
  out.close().line().open("body").line().open("main", {{"id", "text"}, {"class", "whole"}}).line();
  out.element("h1", {}, book.title)
      .line()
      .element("p", {{"class", "summary"}}, book.subtitle)
      .line();
  out.open("p").element("a", {{"href", book.base_url}}, book.base_url);
  out.text(book.license.empty() ? "." : ". " + book.license_sentence()).close().line();
  out.open("nav", {{"aria-label", words("Contents")}})
      .open("ul", {{"class", "whole-contents"}})
      .line();
  for (const RenderedPage* part : parts) {
    const std::string title = book.part_of(*part->chapter->entry);
    if (!title.empty()) out.element("li", {{"class", "part"}}, title).line();
    out.open("li")
        .element("a", {{"href", '#' + part->chapter->entry->slug}}, numbered_title(*part))
        .close()
        .line();
  }
  out.close().close().line();
  bool has_more_maths = false;
  for (const RenderedPage* part : parts) {
    const std::string body = kept_or_made(cache, Cache::Kind::printed, key_of(book, parts, *part),
                                          [&] { return part_body(book, parts, *part); });
    has_more_maths |= body.find(more_maths) != body.npos;
    out.raw(body);
  }
  if (has_more_maths) {
    const std::string sheet = to_root + assets + more_maths_sheet + ".css";
    out.empty("link", {{"rel", "stylesheet"}, {"href", sheet}}).line();
  }
  return with_directions(out.close().line().close().line().close().line().take());
}

}  // namespace primer
