// Shortcodes of Hugo and Quarto ("{{< figure src=… >}}") and tags of Jekyll ("{% highlight c %}")
// as Markdown or HTML. Code between a pair stays code. What has no counterpart is named in the
// report with its text.
#include <algorithm>
#include <cctype>
#include <map>

#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/tools/import/html_nodes.hpp"
#include "generator/tools/import/old_lines.hpp"

namespace primer {
namespace {

struct Shortcode {
  std::string name;  // "figure.liquid" for {% include figure.liquid %}
  bool closes = false, closes_itself = false;
  std::vector<std::string> values;           // without a key
  std::map<std::string, std::string> keyed;  // "src"
  std::string whole;                         // as written

  std::string value(Names keys) const {
    for (const auto key : keys) {
      const auto found = keyed.find(std::string(key));
      if (found != keyed.end()) return found->second;
    }
    return {};
  }
};

// Words and "quoted values" up to the end; key=value or key="value".
Shortcode shortcode_in(std::string_view inside) {
  Shortcode code;
  inside = trim(inside);
  if (inside.starts_with('/')) {
    code.closes = true;
    inside = trim(inside.substr(1));
  }
  if (inside.ends_with('/')) {
    code.closes_itself = true;
    inside = trim(inside.substr(0, inside.size() - 1));
  }
  std::string key, word;
  bool quoted = false, any = false;
  char quote = 0;
  const auto finish = [&] {
    if (!any) return;
    if (!key.empty()) code.keyed[key] = word;
    else if (code.name.empty() && !quoted) code.name = word;
    else code.values.push_back(word);
    key.clear(), word.clear();
    quoted = any = false;
  };
  for (std::size_t at = 0; at < inside.size(); ++at) {
    const char c = inside[at];
    if (quote != 0) {
      if (c == '\\' && at + 1 < inside.size() && inside[at + 1] == quote) word += inside[++at];
      else if (c == quote) quote = 0;
      else word += c;
    } else if ((c == '"' || c == '\'' || c == '`') && word.empty()) {
      quote = c;
      quoted = any = true;
    } else if (c == '=' && !quoted && key.empty() && !word.empty()) {
      key = std::exchange(word, {});
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      finish();
    } else {
      word += c;
      any = true;
    }
  }
  finish();
  return code;
}

bool is_image_file(std::string_view path) {
  const std::string lower = lower_case(path);
  return std::ranges::any_of(
      std::initializer_list<const char*>{".png", ".svg", ".jpg", ".jpeg", ".webp", ".gif", ".avif"},
      [&](const char* ending) { return lower.ends_with(ending); });
}

class ShortcodeReader {
 public:
  ShortcodeReader(const FileSystem& files, const ForeignBook& book, std::string file,
                  ImportReport& report)
      : files_(files), book_(book), file_(std::move(file)), report_(report) {}

  OldLines read(const OldLines& lines) {
    std::string text;
    std::vector<int> numbers;
    for (const auto& line : lines) {
      text += line.text + '\n';
      numbers.push_back(line.number);
    }
    text_ = text;
    numbers_ = std::move(numbers);
    while (at_ < text_.size()) step();
    if (!line_.empty()) put("\n");
    return std::move(out_);
  }

 private:
  int number() const {
    const std::size_t last = numbers_.empty() ? 0 : numbers_.size() - 1;
    return numbers_.empty() ? 0 : numbers_[std::min(row_, last)];
  }

  void put(std::string_view text) {
    for (const char c : text) {
      if (c != '\n') line_ += c;
      else out_.push_back({std::exchange(line_, {}), number()});
    }
  }

  void skip(std::size_t bytes) {
    row_ += static_cast<std::size_t>(std::ranges::count(text_.substr(at_, bytes), '\n'));
    at_ += bytes;
  }

  void copy(std::size_t bytes) {
    for (const char c : text_.substr(at_, bytes)) {
      put(std::string_view(&c, 1));
      if (c == '\n') ++row_;
    }
    at_ += bytes;
  }

  void step() {
    const std::string_view rest = text_.substr(at_);
    const bool jekyll = book_.tool == Tool::jekyll;
    const bool hugo = !jekyll && (rest.starts_with("{{<") || rest.starts_with("{{%"));
    const std::string close = hugo ? std::string(1, rest[2] == '<' ? '>' : '%') + "}}" : "%}";
    const std::size_t open = hugo ? 3 : 2;
    if (jekyll && rest.starts_with("{{")) return output(rest);
    if (!hugo && !(jekyll && rest.starts_with("{%"))) return copy(1);
    const auto end = rest.find(close);
    if (end == rest.npos) return copy(open);
    std::string_view inside = rest.substr(open, end - open);
    // {{</* x */>}} shows a shortcode.
    if (inside.starts_with("/*") && inside.ends_with("*/")) {
      put(std::string(rest.substr(0, open)) + std::string(inside.substr(2, inside.size() - 4)) +
          close);
      return skip(end + close.size());
    }
    while (inside.starts_with('-')) inside.remove_prefix(1);
    while (inside.ends_with('-')) inside.remove_suffix(1);
    Shortcode code = shortcode_in(inside);
    code.whole = rest.substr(0, end + close.size());
    const bool begins_line = trim(line_).empty();
    skip(end + close.size());
    if (jekyll) liquid(code, begins_line);
    else shortcode(code, close);
  }

  void changed(const Shortcode& code, const char* now) {
    report_.changed("shortcode " + code.name, now, file_, number());
  }

  // "{{ site.baseurl }}" and "{{ '/x' | relative_url }}" of Jekyll.
  void output(std::string_view rest) {
    const auto end = rest.find("}}");
    const std::string_view inside =
        end == rest.npos ? rest.substr(0, 0) : trim(rest.substr(2, end - 2));
    const bool quoted = inside.size() > 1 && (inside[0] == '"' || inside[0] == '\'');
    if (quoted) put(inside.substr(1, inside.find(inside[0], 1) - 1));
    else if (!is_one_of(inside, {"site.baseurl", "site.url"})) return copy(2);
    skip(end + 2);
  }

  // The text up to the tag that closes a pair, and the bytes through that tag. Nothing if the tag
  // is not closed.
  struct Inner {
    std::string_view text;
    std::size_t bytes = 0;
  };
  std::optional<Inner> inner(const std::string& name, bool jekyll) const {
    const std::string_view rest = text_.substr(at_);
    for (auto at = rest.find('{'); at != rest.npos; at = rest.find('{', at + 1)) {
      std::string_view tag = rest.substr(at);
      if (!tag.starts_with("{{<") && !tag.starts_with("{{%") && !tag.starts_with("{%")) continue;
      const auto end = tag.find(jekyll ? "%}" : "}}");
      if (end == tag.npos) return std::nullopt;
      std::string_view inside = tag.substr(jekyll ? 2 : 3, end - (jekyll ? 2 : 3));
      while (inside.starts_with('-')) inside.remove_prefix(1);
      inside = trim(inside);
      const std::string closing = jekyll ? "end" + name : "/";
      if (!inside.starts_with(closing)) continue;
      const std::string_view closed = trim(inside.substr(closing.size()));
      if (jekyll || (closed.starts_with(name) &&
                     (closed.size() == name.size() ||
                      !std::isalnum(static_cast<unsigned char>(closed[name.size()])))))
        return Inner{rest.substr(0, at), at + end + 2};
    }
    return std::nullopt;
  }

  void code_block(const std::string& language, const Inner& inner) {
    std::string_view body = inner.text;
    while (body.starts_with('\n') || body.starts_with('\r')) body.remove_prefix(1);
    put("\n\n```" + language + '\n');
    put(std::string(body) + (body.ends_with('\n') ? "" : "\n"));
    put("```\n\n");
    skip(inner.bytes);
  }

  void figure(const Shortcode& code, const std::string& source) {
    changed(code, "an image");
    const std::string caption = code.value({"caption", "title", "fig-cap"});
    std::string alt = code.value({"alt", "fig-alt"});
    if (alt.empty()) alt = replace_all(replace_all(text_of_html(caption), "**", ""), "`", "");
    put("\n\n<figure><img src=\"" + escape(source) + "\" alt=\"" + escape(alt) + "\">");
    if (!caption.empty()) put("<figcaption>\n\n" + caption + "\n\n</figcaption>");
    put("</figure>\n\n");
  }

  void lost(const Shortcode& code) { report_.lost(code.whole, file_, number()); }

  void shortcode(const Shortcode& code, const std::string& close) {
    const std::string& name = code.name;
    const bool is_code = name.find("highlight") != name.npos || name.starts_with("code");
    const auto pair = code.closes || code.closes_itself ? std::nullopt : inner(name, false);
    const std::string first = code.values.empty() ? "" : code.values[0];
    if (is_code && pair) {
      changed(code, "a block of code");
      std::string language =
          name.starts_with("code") ? code.value({"lang", "language", "config"}) : first;
      if (language.empty()) language = name == "code-toggle" ? "yaml" : "text";
      if (const auto title = code.value({"file", "filename", "title"}); !title.empty())
        put("\n\n**" + title + "**");
      return code_block(language, *pair);
    }
    if (is_one_of(name, {"ref", "relref"}))
      return put(first.empty() ? code.value({"path"}) : first);
    if (name == "figure" || name == "img" || name == "image" || name == "imgproc") {
      const std::string source = code.value({"src", "path", "url"});
      if (!source.empty() || !first.empty()) return figure(code, source.empty() ? first : source);
    }
    if (is_one_of(name, {"youtube", "vimeo", "video"}) &&
        (!first.empty() || code.keyed.contains("id"))) {
      changed(code, "a link");
      const std::string id = first.empty() ? code.value({"id"}) : first;
      return put(id.starts_with("http") ? '<' + id + '>'
                 : name == "vimeo"      ? "<https://vimeo.com/" + id + '>'
                                        : "<https://www.youtube.com/watch?v=" + id + '>');
    }
    if (name == "include" && !first.empty() && include(code, first)) return;
    if (is_one_of(name, {"tabs", "tabpane", "tab"}) && (pair || code.closes)) return tab(code);
    if (name == "details" || !callout_kind(name).marker.empty())
      return container(code, close, pair);
    if (code.closes || pair) return changed(code, "left out; what it encloses is there");
    if (code.values.empty() || !code.keyed.empty()) return lost(code);
    // Such as {{< new-in 0.160.0 >}}: its words.
    changed(code, "its words");
    const std::string words = join(code.values, " ");
    put(name.find("term") != name.npos ? words : replace_all(name, "-", " ") + ' ' + words);
  }

  // Labels may be those of the tabs or a list of the group: items="JSON,YAML".
  void tab(const Shortcode& code) {
    const std::string name = code.name == "tab" ? "primer-tab" : "primer-tabs";
    if (code.closes) return put("\n\n</" + name + ">\n\n");
    if (code.name != "tab") {
      changed(code, "tabs");
      labels_.clear();
      for (const auto label : split(code.value({"items"}), ',')) labels_.emplace_back(trim(label));
      return put("\n\n<" + name + ">\n\n");
    }
    std::string title = code.value({"name", "title", "header", "label"});
    if (title.empty() && !code.values.empty()) title = join(code.values, " ");
    if (title.empty() && !labels_.empty()) title = labels_.front();
    if (!labels_.empty()) labels_.erase(labels_.begin());
    put("\n\n<" + name + " title=\"" + escape(title) + "\">\n\n");
  }

  // A pair that becomes an HTML element around its text.
  void container(const Shortcode& code, const std::string&, const std::optional<Inner>& pair) {
    const bool details = code.name == "details";
    if (code.closes) return put(details ? "\n\n</details>\n\n" : "\n\n</div>\n\n");
    if (!pair) return lost(code);
    std::string title = code.value({"title", "summary"});
    if (title.empty() && !code.values.empty()) title = join(code.values, " ");
    changed(code, "a callout");
    if (details) put("\n\n<details>\n<summary>" + escape(title) + "</summary>\n\n");
    else put("\n\n<div class=\"" + code.name + "\" title=\"" + escape(title) + "\">\n\n");
  }

  bool include(const Shortcode& code, const std::string& name) {
    const std::string bare = name.substr(std::min(name.find_first_not_of('/'), name.size()));
    for (const auto& path : {resolve_path(file_, name), normal_path(book_.content + bare),
                             normal_path("_includes/" + bare)}) {
      const auto text = path ? files_.read(*path) : std::nullopt;
      if (!text) continue;
      if (depth_ >= deepest_include || pasted_ + text->size() > most_included_bytes) break;
      pasted_ += text->size();
      changed(code, "pasted");
      ShortcodeReader reader(files_, book_, *path, report_);
      reader.depth_ = depth_ + 1;
      reader.pasted_ = pasted_;
      const auto front = old_front_matter(*text, *path, report_);
      for (const auto& line : reader.read(old_lines(std::string_view(*text).substr(front.end), 1)))
        put(line.text + '\n');
      pasted_ = reader.pasted_;
      return true;
    }
    return false;
  }

  void liquid(Shortcode code, bool begins_line) {
    const std::string name = code.name;
    const auto pair = inner(name, true);
    if (name == "raw" && pair) {
      const std::size_t bytes = pair->bytes;
      const std::size_t before = at_;
      copy(pair->text.size());
      return skip(bytes - (at_ - before));
    }
    if (name == "comment" && pair) {
      changed(code, "left out");
      return skip(pair->bytes);
    }
    if (name == "highlight" && pair) {
      changed(code, "a block of code");
      return code_block(code.values.empty() ? "text" : code.values[0], *pair);
    }
    if (is_one_of(name, {"link", "post_url"}) && !code.values.empty()) return put(code.values[0]);
    if (name == "details" || name == "enddetails") {
      if (name == "details") changed(code, "a callout");
      return put(name == "details" ? "\n\n<details>\n<summary>" + escape(join(code.values, " ")) +
                                         "</summary>\n\n"
                                   : "\n\n</details>\n\n");
    }
    if (name == "include" && !code.values.empty()) {
      const std::string source = code.value({"path", "src", "url", "image", "image_path", "file"});
      code.name += ' ' + code.values[0];
      if (is_image_file(source)) return figure(code, source);
      if (!source.empty()) {
        changed(code, "a link");
        return put((begins_line ? "\n" : "") + ('[' + source + "](" + source + ")"));
      }
      if (include(code, code.values[0])) return;
    }
    lost(code);
  }

  const FileSystem& files_;
  const ForeignBook& book_;
  const std::string file_;
  ImportReport& report_;
  std::string_view text_;
  std::vector<int> numbers_;  // of the lines of text_
  std::size_t at_ = 0, row_ = 0;
  std::string line_;
  OldLines out_;
  std::vector<std::string> labels_;  // of the next tabs
  int depth_ = 0;
  std::size_t pasted_ = 0;
};

}  // namespace

OldLines with_shortcodes(const FileSystem& files, const ForeignBook& book, const std::string& file,
                         const OldLines& lines, ImportReport& report) {
  return ShortcodeReader(files, book, file, report).read(lines);
}

}  // namespace primer
