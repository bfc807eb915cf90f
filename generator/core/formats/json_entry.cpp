#include "generator/core/formats/json_entry.hpp"

#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"

namespace primer {
namespace {

constexpr const char* white = " \t\r\n";

using Entries = std::vector<Yaml::Entry>;

Entries entries_of(const std::string& text) { return json_tree(text).entries; }

// Where the value of entry `i` ends.
std::size_t end_of(const std::string& text, const Entries& entries, std::size_t i) {
  const bool last = i + 1 == entries.size();
  const std::size_t mark = last ? text.rfind('}') : text.rfind(',', entries[i + 1].key.offset);
  return text.find_last_not_of(white, mark - 1) + 1;
}

// Each entry as the text has it, by id.
std::map<std::string, std::string> written_entries(const std::string& text) {
  const Entries entries = entries_of(text);
  std::map<std::string, std::string> all;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Yaml& key = entries[i].key;
    all[key.text] = text.substr(key.offset, end_of(text, entries, i) - key.offset);
  }
  return all;
}

// The white space before an entry, starting at its last line break.
std::string lead_of(const std::string& text, const Yaml::Entry& entry) {
  const std::size_t begin = text.find_last_not_of(white, entry.key.offset - 1) + 1;
  const std::string lead = text.substr(begin, entry.key.offset - begin);
  const std::size_t line_break = lead.rfind('\n');
  return line_break == lead.npos ? lead : lead.substr(line_break);
}

std::string written(const nlohmann::json& value) {
  using nlohmann::json;
  if (!value.is_array()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string items;
  for (const auto& item : value) items += (items.empty() ? "" : ", ") + written(item);
  return '[' + items + ']';
}

}  // namespace

std::string with_json_entries(const std::string& text,
                              const std::map<std::string, std::string>& more) {
  const Entries entries = entries_of(text);
  std::string made;
  if (entries.empty()) {
    for (const auto& [id, entry] : more) made += (made.empty() ? "" : ",") + ("\n  " + entry);
    if (more.empty()) return text;
    return text.substr(0, text.find('{') + 1) + made + '\n' + text.substr(text.rfind('}'));
  }
  std::vector<std::string> after(entries.size());  // what to insert after each entry
  made = text.substr(0, entries.front().key.offset);
  for (const auto& [id, entry] : more) {
    std::size_t before = entries.size();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string& known = entries[i].key.text;
      if (known < id && (before == entries.size() || entries[before].key.text < known)) before = i;
    }
    if (before == entries.size()) made += entry + ',' + lead_of(text, entries.front());
    else after[before] += ',' + lead_of(text, entries[before]) + entry;
  }
  std::size_t taken = entries.front().key.offset;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t end = end_of(text, entries, i);
    made += text.substr(taken, end - taken) + after[i];
    taken = end;
  }
  return made + text.substr(taken);
}

std::string with_entry_replaced(const std::string& text, const std::string& id,
                                const std::string& entry) {
  const Entries entries = entries_of(text);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Yaml& key = entries[i].key;
    if (key.text == id)
      return text.substr(0, key.offset) + entry + text.substr(end_of(text, entries, i));
  }
  return text;
}

std::string with_entries_of(const std::string& text, const std::string& other,
                            const std::string& left_out, const std::string& before) {
  const auto old = written_entries(before);
  auto more = written_entries(other);
  more.erase(left_out);
  std::string made = text;
  for (const auto& known : entries_of(text)) {
    const auto entry = more.extract(known.key.text);
    const auto replaced = old.find(known.key.text);
    if (entry && replaced != old.end() && replaced->second != entry.mapped())
      made = with_entry_replaced(made, entry.key(), entry.mapped());
  }
  return with_json_entries(made, more);
}

std::string written_entry(const std::string& id, const std::vector<std::string>& order,
                          const nlohmann::json& members, bool in_lines) {
  std::string all;
  for (const auto& name : order) {
    if (!members.contains(name)) continue;
    if (!all.empty()) all += in_lines ? "," : ", ";
    if (in_lines) all += "\n    ";
    all += in_quotes(name) + ": " + written(members.at(name));
  }
  return written(id) + ": {" + all + (in_lines ? "\n  }" : "}");
}

}  // namespace primer
