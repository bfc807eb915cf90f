// Jupyter notebooks: cells of Markdown as they are, code as blocks of code, and outputs as text or
// images.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/html_tags.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

using nlohmann::json;

// A text, or a list of lines.
std::string joined_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  if (!value.is_array()) return text;
  for (const auto& line : value)
    if (line.is_string()) text += line.get<std::string>();
  return text;
}

std::string decoded_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) continue;
    bits = (bits << 6U) | static_cast<unsigned>(value);
    if ((have += 6) < 8) continue;
    have -= 8;
    out += static_cast<char>((bits >> static_cast<unsigned>(have)) & 0xFFU);
  }
  return out;
}

std::string fenced(std::string text, const std::string& language) {
  while (text.ends_with('\n')) text.pop_back();
  std::string fence = "```";
  while (text.find(fence) != text.npos) fence += '`';
  return fence + language + '\n' + text + '\n' + fence + "\n\n";
}

// Without the escapes that color a terminal.
std::string without_colors(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b') at = std::min(text.find('m', at), text.size());
    else out += text[at];
  }
  return out;
}

class Notebook {
 public:
  Notebook(const std::string& file, std::map<std::string, std::string>& new_files)
      : name_(as_id(file.substr(0, file.rfind('.')))), new_files_(new_files) {}

  std::string text(const json& notebook) {
    std::string language = "python";
    const json meta = notebook.value("metadata", json::object());
    if (meta.contains("kernelspec") && meta["kernelspec"].contains("language"))
      language = joined_text(meta["kernelspec"]["language"]);
    std::string out;
    for (const auto& cell : notebook["cells"]) {
      if (!cell.is_object()) continue;
      const std::string type = joined_text(cell.value("cell_type", json()));
      const std::string source = joined_text(cell.value("source", json()));
      attachments(cell);
      if (type == "markdown" || type == "raw") out += with_attachments(source) + "\n\n";
      if (type != "code" || is_removed(cell)) continue;
      if (!trim(source).empty()) out += fenced(source, language);
      const json outputs = cell.value("outputs", json::array());
      for (const auto& one : outputs) out += output(one);
    }
    return out;
  }

 private:
  // Jupyter Book hides cells with these tags.
  static bool is_removed(const json& cell) {
    const json meta = cell.value("metadata", json::object());
    const json tags = meta.value("tags", json::array());
    for (const auto& tag : tags)
      if (tag == "remove_cell" || tag == "remove-cell") return true;
    return false;
  }

  std::string image(const std::string& bytes, const char* ending) {
    const std::string name = name_ + '-' + std::to_string(++images_) + ending;
    new_files_["chapters/images/" + name] = bytes;
    return "new-file:" + name;
  }

  void attachments(const json& cell) {
    attached_.clear();
    const json attachments = cell.value("attachments", json::object());
    for (const auto& [name, kinds] : attachments.items())
      for (const auto& [kind, data] : kinds.items())
        if (kind == "image/png" || kind == "image/jpeg")
          attached_[name] =
              image(decoded_base64(joined_text(data)), kind == "image/png" ? ".png" : ".jpg");
  }

  std::string with_attachments(std::string text) const {
    for (const auto& [name, path] : attached_)
      text = replace_all(std::move(text), "(attachment:" + name, '(' + path);
    return text;
  }

  std::string output(const json& output) {
    if (output.contains("text")) return fenced(without_colors(joined_text(output["text"])), "text");
    if (output.contains("traceback")) {
      std::string lines;
      for (const auto& line : output["traceback"]) lines += joined_text(line) + '\n';
      return fenced(without_colors(lines), "text");
    }
    const json data = output.value("data", json::object());
    for (const auto& [kind, ending] :
         {std::pair("image/png", ".png"), std::pair("image/jpeg", ".jpg")}) {
      if (data.contains(kind))
        return "![Output of the code](" + image(decoded_base64(joined_text(data[kind])), ending) +
               ")\n\n";
    }
    if (data.contains("image/svg+xml"))
      return "![Output of the code](" + image(joined_text(data["image/svg+xml"]), ".svg") + ")\n\n";
    if (data.contains("text/html")) {
      const std::string html = joined_text(data["text/html"]);
      if (html.find("<table") != html.npos) return one_block(html) + "\n\n";
    }
    if (data.contains("text/markdown")) return joined_text(data["text/markdown"]) + "\n\n";
    if (data.contains("text/plain")) return fenced(joined_text(data["text/plain"]), "text");
    return {};
  }

  // HTML ends at an empty line.
  static std::string one_block(const std::string& html) {
    std::string out;
    for (const auto line : split_lines(html))
      if (!trim(line).empty()) out += std::string(trim(line)) + '\n';
    return out;
  }

  const std::string name_;
  std::map<std::string, std::string>& new_files_;
  std::map<std::string, std::string> attached_;
  int images_ = 0;
};

}  // namespace

std::optional<std::string> notebook_text(const std::string& text, const std::string& file,
                                         std::map<std::string, std::string>& new_files) {
  const json notebook = json::parse(text, nullptr, false);
  if (!notebook.is_object() || !notebook.contains("cells") || !notebook["cells"].is_array())
    return std::nullopt;
  try {
    return Notebook(file, new_files).text(notebook);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace primer
