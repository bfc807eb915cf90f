#include "generator/formats/json_file.hpp"

#include "generator/base/text.hpp"
#include "generator/diagnostic/text_check.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/formats/json_error.hpp"
#include "generator/formats/json_limits.hpp"
#include "generator/formats/json_tree.hpp"

namespace primer {
namespace {

// Members of all objects. A parser keeps one of those that have the same name, so there are fewer than
// names when one is repeated. (Its callbacks would tell, too, in quadratic time.)
std::size_t member_count(const nlohmann::json& value) {
  if (!value.is_structured()) return 0;
  std::size_t count = value.is_object() ? value.size() : 0;
  for (const auto& inside : value) count += member_count(inside);
  return count;
}

// The member whose name is the longest beginning of `path` with nothing, '.' or '[' after it.
std::string member_at(const nlohmann::json& object, std::string_view path) {
  std::string best;
  for (const auto& [name, value] : object.items()) {
    const char next = path.size() > name.size() ? path[name.size()] : '.';
    const bool fits = path.starts_with(name) && (next == '.' || next == '[');
    if (fits && name.size() > best.size()) best = name;
  }
  return best;
}

// Reports characters that were written as "\u202e" and that the text itself may not hold, each with the
// string that has it.
class Escapes {
 public:
  Escapes(const JsonFile& file, Diagnostics& diagnostics)
      : file_(file), kind_(prose_of(file.source.path())), diagnostics_(diagnostics) {}

  void check(const nlohmann::json& value) {
    if (value.is_string()) string(value.get_ref<const std::string&>(), false);
    if (!value.is_structured()) return;
    std::size_t index = 0;
    for (const auto& [key, item] : value.items()) {
      path_.push_back(value.is_array() ? std::to_string(index++) : key);
      if (value.is_object()) string(key, true);
      check(item);
      path_.pop_back();
    }
  }

 private:
  void string(const std::string& text, bool is_key) {
    constexpr int most = 20;  // each place costs a reading of the file
    const auto hidden = first_hidden_character(text, kind_);
    if (!hidden || ++found_ > most) return;
    const JsonPlace place = find_value(file_.source.text(), path_);
    refuse_hidden(file_.source, is_key ? place.key_offset : place.offset,
                  is_key ? place.key_length : place.length, *hidden, kind_, diagnostics_);
  }

  const JsonFile& file_;
  const TextKind kind_;
  Diagnostics& diagnostics_;
  JsonPath path_;
  int found_ = 0;
};

bool check_escapes(const JsonFile& file, Diagnostics& diagnostics) {
  if (file.source.text().find("\\u") == std::string_view::npos) return true;
  Diagnostics found;
  Escapes(file, found).check(file.value);
  const bool good = found.empty();
  diagnostics.append(std::move(found));
  return good;
}

// The steps of a path that the value has.
JsonPath steps_of(const nlohmann::json& value, std::string_view path) {
  JsonPath steps;
  const nlohmann::json* at = &value;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    std::string step;
    if (path.starts_with('[') && at->is_array()) {
      step = path.substr(1, std::min(path.find(']'), std::size_t{7}) - 1);
      const bool index = !step.empty() && step.find_first_not_of("0123456789") == step.npos;
      if (!index || std::stoul(step) >= at->size()) break;
      at = &(*at)[std::stoul(step)];
      path.remove_prefix(step.size() + 2);
    } else if (at->is_object()) {
      step = member_at(*at, path);
      if (step.empty()) break;
      at = &(*at)[step];
      path.remove_prefix(step.size());
    } else {
      break;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics) {
  auto text = files.read(path);
  if (text) return parse_json(path, std::move(*text), diagnostics);
  report_unreadable(files, path, diagnostics);
  return std::nullopt;
}

std::optional<JsonFile> parse_json(const std::string& path, std::string text,
                                   Diagnostics& diagnostics) {
  // Spaces in its place keep all others.
  if (text.starts_with(byte_order_mark))
    text.replace(0, byte_order_mark.size(), byte_order_mark.size(), ' ');
  Source source(path, std::move(text));
  if (!check_text(source, prose_of(path), diagnostics)) return std::nullopt;
  const JsonScan scan = scan_json(source.text());
  if (scan.beyond) {
    diagnostics.error(Rule::bad_json, source, scan.beyond->offset, 1, scan.beyond->message);
    return std::nullopt;
  }
  try {
    auto value = nlohmann::json::parse(source.text());
    if (member_count(value) == scan.names) {
      JsonFile file{std::move(source), std::move(value)};
      if (!check_escapes(file, diagnostics)) return std::nullopt;
      return file;
    }
    const Yaml tree = json_tree(source);
    if (const Yaml* key = repeated_key(tree)) {
      diagnostics.error(Rule::bad_json, source, key->offset, key->length,
                        "the key " + in_quotes(key->text) + " is there twice");
    }
  } catch (const nlohmann::json::parse_error& error) {
    const auto cause = explain_json(source.text(), error.byte > 0 ? error.byte - 1 : 0);
    diagnostics.error(Rule::bad_json, source, cause.offset, 1, cause.message);
  } catch (const nlohmann::json::exception&) {
    diagnostics.error(Rule::bad_json, source, 0, 1, "this is not valid JSON");
  }
  return std::nullopt;
}

JsonPlace json_place(const JsonFile& file, std::string_view path) {
  return find_value(file.source.text(), steps_of(file.value, path));
}

Diagnostic& json_error(const JsonFile& file, std::string_view path, std::string message,
                       Diagnostics& diagnostics) {
  const JsonPlace place = json_place(file, path);
  const char first = file.source.text()[place.offset];
  const bool inside = first != '{' && first != '[';
  return diagnostics.error(Rule::bad_json, file.source, inside ? place.offset : place.key_offset,
                           inside ? place.length : place.key_length, std::move(message));
}

}  // namespace primer
