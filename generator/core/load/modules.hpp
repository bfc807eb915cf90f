// The WebAssembly modules and WGSL shaders that a site publishes: where each is built, where it is
// published, and which source files it contains.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct Module {
  std::string name;           // "kernels-simd128.wasm"
  std::string bytes;          // content; empty if only size and checksum are known (Modules::known)
  std::size_t size = 0;       // of the file, in bytes
  std::string checksum = {};  // first 16 digits of its SHA-256; empty: compute it from `bytes`

  std::string short_checksum() const;
};

// What to do if a module has not been built.
enum class Unbuilt {
  refuse,      // report an error
  do_without,  // publish no modules until all of them are built
};

class Modules {
 public:
  // Reads all modules. `directory` null: a site that cannot measure. With `refuse`, reports missing
  // modules. With `do_without`, returns all modules or none. It returns none while the directory
  // has a file "unfinished", because its modules may then be older than the site's scripts.
  static Modules load(const FileSystem* directory, Unbuilt unbuilt, Diagnostics& diagnostics);
  // Modules that are stored elsewhere, of which only size and checksum are known.
  static Modules known(std::map<std::string, Module> modules);

  // By path below the assets' directory.
  const std::map<std::string, Module>& all() const { return modules_; }
  // The module that contains a source file and that every browser can load. Null if there is none,
  // or if nothing is built.
  const Module* holding(std::string_view source) const;
  // A digest of all modules, for cache keys.
  Digest version() const;

 private:
  std::map<std::string, Module> modules_;
};

}  // namespace primer
