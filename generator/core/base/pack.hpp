// Serializes values for the cache. The format has no version number, because every key includes the
// identity of the program: a program reads only what the same program wrote.
//
// Integers are LEB128, other numbers and digests have a fixed size, and a list starts with its
// length. A struct is its members, which packed_members() lists once for both directions. It names
// every member, so that a new one that is missing does not compile:
//
//   auto& [kind, id, title] = anchor;
//   return std::tie(kind, id, title);
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "generator/core/base/file_system.hpp"

namespace primer {

// T, const or not.
template <class Maybe, class T>
concept Is = std::same_as<std::remove_const_t<Maybe>, T>;

template <class T>
concept HasPackedMembers = requires(T& value) { packed_members(value); };

template <class T>
concept PackedAsInteger = std::integral<T> || std::is_enum_v<T>;

// A vector, set or map.
template <class T>
concept PackedAsList =
    requires { typename T::value_type; } && !std::convertible_to<const T&, std::string_view>;

class Packer {
 public:
  std::string bytes;

  // LEB128: seven bits per byte, the lowest first, because most numbers are small.
  template <PackedAsInteger Integer>
  void add(Integer value) {
    auto number = static_cast<std::uint64_t>(value);
    for (; number > 0x7f; number >>= 7) bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
  }
  void add(double number) { add_word(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(text.size());
    bytes += text;
  }
  void add(const Digest& digest) {
    add_word(digest.high);
    add_word(digest.low);
  }
  void add(const Dependency& dependency) {
    add(dependency.kind);
    add(dependency.what);
  }
  template <class First, class Second>
  void add(const std::pair<First, Second>& pair) {
    add(pair.first);
    add(pair.second);
  }
  template <class Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <PackedAsList List>
  void add(const List& list) {
    add(list.size());
    for (const auto& one : list) add(one);
  }
  template <class... Members>
  void add(const std::tuple<Members&...>& members) {
    std::apply([&](const auto&... each) { (add(each), ...); }, members);
  }
  void add(const HasPackedMembers auto& value) { add(packed_members(value)); }

 private:
  void add_word(std::uint64_t word) {
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
};

// The bytes of the values, such as a cache key.
std::string pack(const auto&... values) {
  Packer packer;
  (packer.add(values), ...);
  return std::move(packer.bytes);
}

// Reads what a Packer wrote, in the same order. If the bytes run out, every further value is zero
// or empty, and good() and whole() return false. A cache treats such an entry as a miss.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  // Whether every value so far was complete.
  bool good() const { return !ran_out_; }
  // Whether every value was complete and nothing is left over.
  bool whole() const { return good() && rest_.empty(); }

  template <PackedAsInteger Integer>
  void take(Integer& value) {
    value = static_cast<Integer>(take_number());
  }
  void take(double& number) { number = std::bit_cast<double>(take_word()); }
  void take(std::string& text) {
    const std::uint64_t size = take_number();
    if (rest_.size() < size) return run_out();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  void take(Digest& digest) {
    digest.high = take_word();
    digest.low = take_word();
  }
  void take(Dependency& dependency) {
    take(dependency.kind);
    take(dependency.what);
    if (dependency.kind > Dependency::last) run_out();
  }
  template <class First, class Second>
  void take(std::pair<First, Second>& pair) {
    take(pair.first);
    take(pair.second);
  }
  template <class Value>
  void take(std::optional<Value>& value) {
    bool has_value = false;
    take(has_value);
    if (has_value) take(value.emplace());
  }
  template <class Value>
  void take(std::vector<Value>& list) {
    take_each([&] { take(list.emplace_back()); });
  }
  template <class Value>
  void take(std::set<Value>& values) {
    take_each([&] {
      Value value{};
      take(value);
      values.insert(std::move(value));
    });
  }
  template <class Key, class Value, class Less>
  void take(std::map<Key, Value, Less>& values) {
    take_each([&] {
      Key key{};
      take(key);
      take(values[std::move(key)]);
    });
  }
  template <class... Members>
  void take(std::tuple<Members&...> members) {
    std::apply([&](auto&... each) { (take(each), ...); }, members);
  }
  void take(HasPackedMembers auto& value) { take(packed_members(value)); }

 private:
  template <class Take>
  void take_each(const Take& take_one) {
    for (std::uint64_t count = take_number(); count > 0 && !ran_out_; --count) take_one();
  }
  std::uint64_t take_number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte <= 0x7f) return number;
    }
    run_out();
    return 0;
  }
  std::uint64_t take_word() {
    std::uint64_t word = 0;
    if (rest_.size() < sizeof word) return run_out(), 0;
    std::memcpy(&word, rest_.data(), sizeof word);
    rest_.remove_prefix(sizeof word);
    return word;
  }
  void run_out() {
    ran_out_ = true;
    rest_ = {};
  }

  std::string_view rest_;
  bool ran_out_ = false;
};

// Sets the values to those that pack() was given. False: the bytes are damaged.
bool unpack(std::string_view bytes, auto&... values) {
  Unpacker unpacker(bytes);
  (unpacker.take(values), ...);
  return unpacker.whole();
}

}  // namespace primer
