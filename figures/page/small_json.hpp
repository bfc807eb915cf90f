// JSON for the page's modules: the parts of nlohmann::json that figures/ uses, under the same
// names, in a fifth of the WebAssembly bytes. Native builds use nlohmann/json; under Emscripten,
// page_include/nlohmann/json.hpp replaces it with this class. A test compares the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace figures {

class SmallJson {
 public:
  using const_iterator = const SmallJson*;

  // Returns is_discarded() for text that is not JSON or is nested more than 64 levels deep. Numbers
  // become the nearest double; digits beyond the 19th are ignored. UTF-8 is not checked, because a
  // page encodes its requests itself. If a name occurs twice, the last member counts. The two
  // unnamed parameters match nlohmann's.
  static SmallJson parse(std::string_view text, std::nullptr_t = nullptr, bool = false);
  template <class Iterator>
  static SmallJson parse(Iterator first, Iterator last, std::nullptr_t = nullptr, bool = false) {
    return parse(std::string_view(&*first, static_cast<std::size_t>(last - first)));
  }
  static SmallJson object();  // an empty one

  bool is_discarded() const { return type_ == Type::discarded; }
  bool is_null() const { return type_ == Type::null; }
  bool is_boolean() const { return type_ == Type::boolean; }
  bool is_number() const { return type_ == Type::number || type_ == Type::integer; }
  bool is_number_integer() const { return type_ == Type::integer; }
  bool is_string() const { return type_ == Type::text; }
  bool is_array() const { return type_ == Type::array; }
  bool is_object() const { return type_ == Type::object; }

  // The value must have the type; ask first.
  template <class T>
  T get() const {
    return static_cast<T>(number_);
  }
  template <class Pointer>
  Pointer get_ptr() const {
    return is_string() ? &text_ : nullptr;
  }

  // The number of elements, or of members, which are sorted by name; 0 for any other value.
  std::size_t size() const { return items_.size(); }
  const_iterator begin() const { return items_.data(); }
  const_iterator end() const { return items_.data() + items_.size(); }
  const SmallJson& operator[](std::size_t index) const { return items_[index]; }
  const_iterator find(std::string_view name) const;  // end(): not an object, or no such member

  struct Entry {
    const std::string& key;
    const SmallJson& value;
  };
  class Entries {
   public:
    struct Step {
      const SmallJson* at;
      Entry operator*() const { return {at->name_, *at}; }
      void operator++() { ++at; }
      bool operator!=(const Step& other) const { return at != other.at; }
    };
    explicit Entries(const SmallJson& whole) : whole_(whole) {}
    Step begin() const { return {whole_.begin()}; }
    Step end() const { return {whole_.end()}; }

   private:
    const SmallJson& whole_;
  };
  Entries items() const { return Entries(*this); }

 private:
  friend class SmallJsonParser;
  enum class Type : std::uint8_t { null, boolean, integer, number, text, array, object, discarded };

  std::string name_;  // the name of the member, if this is one
  std::string text_;
  std::vector<SmallJson> items_;
  double number_ = 0;
  Type type_ = Type::null;
};

// The double nearest to digits * 10^exponent.
double nearest_double(std::uint64_t digits, int exponent);

}  // namespace figures
