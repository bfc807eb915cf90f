// Serializes values for the cache. The format has no version number, because every key includes the
// identity of the program: a program reads only what the same program wrote.
//
// Integers are LEB128, other numbers and digests have a fixed size, and a list starts with its
// length.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"

namespace primer {

class Packer {
 public:
  std::string bytes;

  // LEB128: seven bits per byte, the lowest first, because most numbers are small.
  void add(std::uint64_t number) {
    for (; number > 0x7f; number >>= 7) bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
  }
  void add(double number) { add_word(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes += text;
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const Digest& digest) {
    add_word(digest.high);
    add_word(digest.low);
  }
  void add(const std::vector<std::string>& texts) { add_all(texts); }
  void add(const std::set<std::string>& texts) { add_all(texts); }
  void add(const std::map<std::string, Digest>& digests) {
    add(std::uint64_t{digests.size()});
    for (const auto& [name, digest] : digests) {
      add(name);
      add(digest);
    }
  }
  void add(const Dependencies& reads) {
    add(std::uint64_t{reads.size()});
    for (const auto& [dependency, digest] : reads) {
      add(static_cast<std::uint64_t>(dependency.kind));
      add(dependency.what);
      add(digest);
    }
  }

 private:
  void add_word(std::uint64_t word) {
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  template <class Texts>
  void add_all(const Texts& texts) {
    add(std::uint64_t{texts.size()});
    for (const auto& text : texts) add(text);
  }
};

// Reads what a Packer wrote, in the same order. If the bytes run out, every further value is zero
// or empty, and good() and whole() return false. A cache treats such an entry as a miss.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  // Whether every value so far was complete.
  bool good() const { return !ran_out_; }
  // Whether every value was complete and nothing is left over.
  bool whole() const { return good() && rest_.empty(); }

  void take(std::uint64_t& number) {
    std::uint64_t taken = number = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      taken |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte > 0x7f) continue;
      number = taken;
      return;
    }
    run_out();
  }
  void take(double& number) {
    std::uint64_t word = 0;
    take_word(word);
    number = std::bit_cast<double>(word);
  }
  void take(std::string& text) {
    std::uint64_t size = 0;
    take(size);
    if (rest_.size() < size) return run_out();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  void take(Digest& digest) {
    take_word(digest.high);
    take_word(digest.low);
  }
  void take(std::vector<std::string>& texts) {
    take_each([&] { take(texts.emplace_back()); });
  }
  void take(std::set<std::string>& texts) {
    take_each([&] {
      std::string text;
      take(text);
      texts.insert(std::move(text));
    });
  }
  void take(std::map<std::string, Digest>& digests) {
    take_each([&] {
      std::string name;
      take(name);
      take(digests[name]);
    });
  }
  void take(Dependencies& reads) {
    take_each([&] {
      std::uint64_t kind = 0;
      Dependency dependency;
      take(kind);
      take(dependency.what);
      if (kind > static_cast<std::uint64_t>(Dependency::last)) return run_out();
      dependency.kind = static_cast<Dependency::Kind>(kind);
      take(reads[std::move(dependency)]);
    });
  }
  template <class Take>
  void take_each(const Take& take_one) {
    std::uint64_t count = 0;
    take(count);
    for (; count > 0 && !ran_out_; --count) take_one();
  }

 private:
  void take_word(std::uint64_t& word) {
    word = 0;
    if (rest_.size() < sizeof word) return run_out();
    std::memcpy(&word, rest_.data(), sizeof word);
    rest_.remove_prefix(sizeof word);
  }
  void run_out() {
    ran_out_ = true;
    rest_ = {};
  }

  std::string_view rest_;
  bool ran_out_ = false;
};

}  // namespace primer
