#include "figures/base/json_reader.hpp"

namespace figures {

using nlohmann::json;

Members::Members(const json& object, std::string path, std::optional<Error>& error)
    : object_(object), path_(std::move(path)), error_(error) {
  if (!object_.is_object()) fail("", "is not an object");
}

const json* Members::find(std::string_view name) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(std::string(name));
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::string Members::path_of(std::string_view name) const {
  if (name.empty()) return path_;
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void Members::tell(std::string_view name, std::string_view problem, Code code) const {
  if (error_) return;
  const std::string path = path_of(name);
  error_ = Error{(path.empty() ? "this" : path) + ' ' + std::string(problem)}.as(code).of(path);
}

std::string Members::text(std::string_view name, std::size_t longest) const {
  const json* value = find(name);
  if (value == nullptr) return {};
  const std::string* text = value->get_ptr<const std::string*>();
  if (text == nullptr) return fail(name, "is not a text"), std::string();
  if (text->size() > longest) return fail(name, "is too long"), std::string();
  std::string out = *text;
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

std::string Members::required_text(std::string_view name) const {
  std::string out = text(name);
  if (out.empty()) fail(name, "is missing");
  return out;
}

double Members::number(std::string_view name, double fallback) const {
  const json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_number()) return fail(name, "is not a number"), fallback;
  const double number = value->get<double>();
  if (!(number >= 0 && number <= 1e18)) return fail(name, "is negative or too large"), fallback;
  return number;
}

int Members::integer(std::string_view name, int fallback, int most) const {
  const double value = number(name, fallback);
  const int whole = value <= most ? static_cast<int>(value) : -1;
  if (whole != value) return fail(name, "is not a whole number in range"), fallback;
  return whole;
}

bool Members::flag(std::string_view name) const {
  const json* value = find(name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return fail(name, "is neither true nor false"), false;
  return value->get<bool>();
}

const json* Members::array(std::string_view name, std::size_t most) const {
  const json* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) return fail(name, "is not a list"), nullptr;
  if (value->size() > most) return fail(name, "has too many entries"), nullptr;
  return value;
}

const json* Members::object(std::string_view name) const {
  const json* value = find(name);
  if (value == nullptr) return nullptr;
  if (!value->is_object()) return fail(name, "is not an object"), nullptr;
  return value;
}

std::vector<std::string> Members::texts(std::string_view name, std::size_t most) const {
  std::vector<std::string> out;
  const json* list = array(name, most);
  if (list == nullptr) return out;
  for (const json& entry : *list) {
    const std::string* text = entry.get_ptr<const std::string*>();
    if (text == nullptr || text->size() > 500)
      return fail(name, "has something that is not text"), out;
    out.push_back(*text);
  }
  return out;
}

}  // namespace figures
