#include "generator/core/load/kernel_module.hpp"

#include <optional>
#include <vector>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using figures::Status;

// Far above any kernel; they bound the work on a hostile module.
constexpr std::uint32_t most_functions = 10'000, most_exports = 1000, most_values = 100;
constexpr std::uint32_t most_table_entries = 10'000, most_tables = 10;
constexpr std::size_t longest_name = 100;

// Numbers of sections. 13 and above are exceptions and later proposals.
constexpr unsigned char of_types = 1, of_imports = 2, of_functions = 3, of_tables = 4,
                        of_memories = 5, of_exports = 7, of_start = 8, last_plain = 12;
constexpr unsigned char kind_function = 0, kind_memory = 2;

// Reads from the front of a byte string. After the first failure every reading is 0.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool is_good() const { return is_good_; }
  bool is_empty() const { return rest_.empty(); }

  unsigned char byte() {
    if (rest_.empty()) return fail();
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint32_t number() {  // LEB128
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const unsigned char next = byte();
      value |= std::uint64_t{next & 0x7Fu} << shift;
      if (next < 0x80) return value > 0xFFFFFFFF ? fail() : static_cast<std::uint32_t>(value);
    }
    return fail();
  }
  std::string_view text(std::uint32_t length) {
    if (length > rest_.size()) return fail(), std::string_view();
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }
  std::string_view name() { return text(number()); }
  std::uint32_t count(std::uint32_t most) {
    const std::uint32_t found = number();
    return found > most ? fail() : found;
  }

 private:
  unsigned char fail() {
    is_good_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool is_good_ = true;
};

std::string_view name_of_value(unsigned char code) {
  switch (code) {
    case 0x7F: return "i32";
    case 0x7E: return "i64";
    case 0x7D: return "f32";
    case 0x7C: return "f64";
    case 0x7B: return "v128";
    case 0x70: return "funcref";
    case 0x6F: return "externref";
    default: return {};
  }
}

std::string_view name_of_kind(unsigned char kind) {
  constexpr std::string_view names[] = {"function", "table", "memory", "global"};
  return kind < std::size(names) ? names[kind] : "tag";
}

// A name of the module for a message: visible and short.
std::string said(std::string_view name) {
  return is_utf8(name) ? in_quotes(shortened(visible(name), longest_name))
                       : "with bytes no text has";
}

class ModuleReader {
 public:
  Result<KernelModule> read(std::string_view bytes) {
    if (!bytes.starts_with(std::string_view("\0asm\1\0\0\0", 8)))
      return Error{"it is not a WebAssembly module of version 1"};
    Cursor all(bytes.substr(8));
    while (all.is_good() && !all.is_empty()) {
      const unsigned char id = all.byte();
      Cursor content(all.text(all.number()));
      if (!all.is_good()) break;
      if (const Status status = section(id, content); !status) return status.error();
    }
    if (!all.is_good()) return Error{"it is damaged: a section is longer than the file"};
    if (!has_memory_) return Error{"it does not import its memory, env.memory"};
    return std::move(module_);
  }

 private:
  Status section(unsigned char id, Cursor& in) {
    Status status = figures::ok();
    if (id == of_types) status = types(in);
    else if (id == of_imports) status = imports(in);
    else if (id == of_functions) status = functions(in);
    else if (id == of_tables) status = tables(in);
    else if (id == of_exports) status = exported(in);
    else if (id == of_memories && in.count(1) > 0)
      return Error{"it has its own memory; it must import env.memory"};
    else if (id == of_start)
      return Error{"it has a start function, and a kernel must not have one"};
    else if (id > last_plain)
      return Error{"it has a section of kind " + std::to_string(id) +
                   ", which kernels do not need"};
    if (status && !in.is_good())
      return Error{"section " + std::to_string(id) + " is damaged, or larger than kernels need"};
    return status;
  }

  Status types(Cursor& in) {
    for (std::uint32_t left = in.count(most_functions); left > 0 && in.is_good(); --left) {
      if (in.byte() != 0x60) return Error{"it has a type that is not a function over numbers"};
      const auto list = [&in]() -> std::optional<std::string> {
        std::string text;
        for (std::uint32_t more = in.count(most_values); more > 0 && in.is_good(); --more) {
          const std::string_view value = name_of_value(in.byte());
          if (value.empty()) return std::nullopt;
          text += (text.empty() ? "" : ", ") + std::string(value);
        }
        return text;
      };
      const auto parameters = list(), results = list();
      if (!parameters || !results)
        return Error{"it has a function over values that are no numbers"};
      types_.push_back('(' + *parameters + ") -> " + (results->empty() ? "nothing" : *results));
    }
    return figures::ok();
  }

  Status imports(Cursor& in) {
    for (std::uint32_t left = in.count(most_exports); left > 0 && in.is_good(); --left) {
      const std::string_view from = in.name(), name = in.name();
      const unsigned char kind = in.byte();
      if (!in.is_good()) break;
      if (kind != kind_memory || from != "env" || name != "memory" || has_memory_)
        return Error{"it imports the " + std::string(name_of_kind(kind)) + ' ' + said(name) +
                     " from " + said(from) + "; a kernel may import only the memory env.memory"};
      has_memory_ = true;
      const unsigned char flags = in.byte();
      if (flags > 1) return Error{"its memory is shared or has 64-bit addresses"};
      module_.pages = in.number();
      if (flags == 1) module_.most_pages = in.number();
    }
    return figures::ok();
  }

  Status functions(Cursor& in) {
    for (std::uint32_t left = in.count(most_functions); left > 0 && in.is_good(); --left)
      functions_.push_back(in.number());
    return figures::ok();
  }

  Status tables(Cursor& in) {
    for (std::uint32_t left = in.count(most_tables); left > 0 && in.is_good(); --left) {
      in.byte();  // type of its entries
      const bool is_limited = in.byte() == 1;
      in.number();
      if (!is_limited || in.number() > most_table_entries)
        return Error{"it has a table without a maximum of " + std::to_string(most_table_entries) +
                     " entries"};
    }
    return figures::ok();
  }

  Status exported(Cursor& in) {
    const std::uint32_t count = in.number();
    if (count > most_exports)
      return Error{"it has " + std::to_string(count) + " exports; at most " +
                   std::to_string(most_exports) + " are allowed"};
    for (std::uint32_t left = count; left > 0 && in.is_good(); --left) {
      const std::string_view name = in.name();
      const unsigned char kind = in.byte();
      const std::uint32_t index = in.number();
      if (!in.is_good()) break;
      if (name.size() > longest_name || !is_utf8(name))
        return Error{"it has an export whose name is longer than " + std::to_string(longest_name) +
                     " bytes, or is not text"};
      if (kind != kind_function) continue;
      if (index >= functions_.size() || functions_[index] >= types_.size())
        return Error{"its export " + said(name) + " is no function of the module"};
      module_.functions.emplace(name, types_[functions_[index]]);
    }
    return figures::ok();
  }

  KernelModule module_;
  bool has_memory_ = false;
  std::vector<std::string> types_;        // by index
  std::vector<std::uint32_t> functions_;  // index of each function's type
};

}  // namespace

Result<KernelModule> read_kernel_module(std::string_view bytes) {
  return ModuleReader().read(bytes);
}

}  // namespace primer
