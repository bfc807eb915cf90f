// The WebAssembly modules that a site publishes, and the kernels in WGSL: where each is built, where
// it is published, and which source files are in it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

struct Module {
  std::string name;      // "kernels-simd128.wasm"
  std::string bytes;     // the file; empty where it is only known by what follows (Modules::known)
  std::size_t size = 0;  // of the file
  std::string checksum = {};  // the first 16 digits of its SHA-256, where its bytes are not here

  std::string short_checksum() const;
};

// What becomes of a site when something that scripts/build makes for it is not there.
enum class Unbuilt {
  refuse,      // an error
  do_without,  // the site waits for it
};

class Modules {
 public:
  // Reads them all and reports those that have not been built. Null: a site that cannot measure. A site that does
  // without them has all or none, and none while there is a file "unfinished" in the directory: what is there may
  // then be older than the site's scripts.
  static Modules load(const FileSystem* directory, Unbuilt unbuilt, Diagnostics& diagnostics);
  // Of another place, whose modules have sizes and checksums here and no bytes.
  static Modules known(std::map<std::string, Module> modules);

  // Path below the assets' directory → module.
  const std::map<std::string, Module>& all() const { return modules_; }
  // The module that every browser can load and that the source file is compiled into; null when
  // there is none, or nothing is built.
  const Module* holding(std::string_view source) const;
  // Of all of them, for whoever keeps what was made with them.
  Digest version() const;

 private:
  std::map<std::string, Module> modules_;
};

}  // namespace primer
