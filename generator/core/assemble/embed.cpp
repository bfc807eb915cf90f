#include "generator/core/assemble/embed.hpp"

#include <utility>

#include "generator/core/assemble/page.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

// The element with this id, if it is a figure or a measurement; otherwise empty.
std::string_view element_of(std::string_view body, const std::string& id) {
  const auto at = body.find(" id=\"" + id + '"');
  if (at == body.npos) return {};
  const auto begin = body.rfind('<', at);
  for (const std::string tag : {"figure", "primer-bench"}) {
    if (!body.substr(begin + 1).starts_with(tag + ' ')) continue;
    const std::string end = "</" + tag + '>';
    return body.substr(begin, body.find(end, at) + end.size() - begin);
  }
  return {};
}

// The address of a link on the page at `url`, for a file from which `root` leads to the root of its
// language.
std::string moved(std::string_view link, const std::string& root, const std::string& url) {
  if (link.find(':') < link.find_first_of("/#?")) return std::string(link);  // "https:", "data:"
  if (link.starts_with("../") && !url.empty()) return root + std::string(link.substr(3));
  return root + url + std::string(link.substr(link.starts_with("./") ? 2 : 0));
}

// Moves the links of HTML by Html, which writes a quote only around the value of an attribute.
std::string with_links_from(std::string_view html, const std::string& root,
                            const std::string& url) {
  std::string out;
  for (auto at = html.find('='); at != html.npos; at = html.find('=')) {
    const auto before = html.substr(0, at);
    const bool is_link = (before.ends_with(" href") || before.ends_with(" src")) &&
                         html.substr(at + 1).starts_with('"');
    const auto begin = at + 2, end = is_link ? html.find('"', begin) : at + 1;
    if (is_link) out.append(html, 0, begin) += moved(html.substr(begin, end - begin), root, url);
    else out.append(html, 0, end);
    html.remove_prefix(end);
  }
  return out.append(html);
}

// `values` as for the template of a page.
void write_head(Html& out, const std::string& book, TemplateValues& values) {
  out.open("head").line().empty("meta", {{"charset", "utf-8"}}).line();
  // page/embed.js opens the page in a frame to know its height.
  out.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"" + values["policy"] +
          "; frame-src 'self'\"/>\n");
  const auto meta = [&](const char* name, const char* content) {
    out.empty("meta", {{"name", name}, {"content", content}}).line();
  };
  meta("viewport", "width=device-width");
  meta("color-scheme", "light dark");
  meta("robots", "noindex");
  out.element("title", {}, values["title"] + " · " + book).line();
  if (!values["canonical"].empty())
    out.empty("link", {{"rel", "canonical"}, {"href", values["canonical"]}}).line();
  out.empty("base", {{"target", "_blank"}}).line();  // no other page of the book may be in a frame
  out.element("script", {{"src", values["assets"] + "runtime/theme.js"}}, "").line();
  for (const std::string sheet : {"style", "embed", values["own_sheet"].c_str()}) {
    const std::string address = values["assets"] + sheet + ".css";
    if (!sheet.empty()) out.empty("link", {{"rel", "stylesheet"}, {"href", address}}).line();
  }
  for (const char* script : {"main.js", "page/embed.js"}) {
    const std::string address = values["assets"] + "runtime/" + script;
    out.element("script", {{"type", "module"}, {"src", address}}, "").line();
  }
  out.raw(values["fonts"]).close().line();
}

}  // namespace

std::vector<Embed> embeds_of(const ChapterIndex& chapter, const RenderedPage& page,
                             const Messages& words) {
  std::vector<Embed> embeds;
  for (const auto& anchor : chapter.anchors) {
    const bool measures = anchor.kind == AnchorKind::measurement;
    if (!measures && anchor.kind != AnchorKind::figure) continue;
    const auto html = element_of(page.text.body, anchor.id);
    if (html.empty()) continue;
    std::string label = words(kind_word(anchor.kind));
    if (!anchor.number.empty()) label += ' ' + anchor.number;
    embeds.push_back({anchor.id, anchor.id, std::move(label), html, measures});
  }
  for (const auto& preset : page.excerpt.presets)
    embeds.push_back({preset.id, "model=" + preset.id, preset.title, preset.html});
  return embeds;
}

LazyFile Pages::embed(const ChapterIndex& chapter, const Embed& embed, const Digest& text,
                      const std::string& data_name) const {
  const Entry& entry = *chapter.entry;
  const Book& own = entry.language == book_.language ? book_ : *locales_.front().book;
  const std::string here = book_.root + entry.url, site = root_from(embed_url + here + "id/");
  TemplateValues values = common("./");
  values["home"] = site + book_.root;
  values["assets"] = site + assets_;
  values["root"] = site;
  values["lang"] = entry.language;
  values["title"] = embed.label + ", " + numbered_title(chapter);
  values["source"] = site + here + '#' + embed.fragment;
  if (!data_name.empty()) values["data_page"] = site + own.root + entry.url + data_name;
  if (!own.base_url.empty()) values["canonical"] = own.base_url + entry.url + '#' + embed.fragment;
  if (embed.fragment != embed.id && sheets_.contains(entry.slug)) values["own_sheet"] = entry.slug;
  const Digest inputs = digest(pack(values, text, embed.id, words_.version()));
  return {inputs, [this, values = std::move(values), embed, url = entry.url] {
            return embed_page(values, embed, url);
          }};
}

std::string Pages::embed_page(TemplateValues values, const Embed& embed,
                              const std::string& url) const {
  set_body(with_links_from(embed.html, values["home"], url), values);
  const bool has_data = !values["data_page"].empty();
  Html out;
  out.raw("<!DOCTYPE html>\n");
  out.open("html", {{"lang", values["lang"]},
                    {"dir", "rtl", is_right_to_left(values["lang"])},
                    {"data-root", values["root"]},
                    {"data-assets", values["assets"]},
                    {"data-page", values["data_page"], has_data},
                    {"data-wordless", values["wordless"], !values["wordless"].empty()}});
  write_head(out.line(), book_.title, values);
  out.open("body", {{"class", "embed"}}).line().open("main", {{"id", "text"}}).line();
  out.element("h1", {{"class", "visually-hidden"}}, values["title"]).line();
  out.raw(values["body"]).line();
  const auto note = [&](const char* name, const char* english) {
    out.element("p", {{"class", name}}, words_(english)).line();
  };
  if (has_data) note("embed-blocked", "The controls need scripts, which are blocked here.");
  if (embed.measures)
    note("embed-lacks",
         "In a frame, a browser may refuse storage, several cores or a fine clock. "
         "The page of the book has them.");
  out.close().line().open("footer", {{"class", "page-foot"}}).open("p");
  out.text(book_.title + ". " + values["license"] + ' ');
  out.element("a", {{"href", values["source"]}}, values["title"]).text(".");
  out.close().close().line().close().line().close().line();
  return out.take();
}

}  // namespace primer
