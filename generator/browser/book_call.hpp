// A book on somebody's disk, which the module works on in Node (npm/): what `primer check`, `build` and `new` print, asked for as
// JSON.
//
//   {"command": "check", "files": ["chapters/en/a.md"], "prose": false, "counts": false}
//   {"command": "build"}                          gives the worker the site's files (worker_files.hpp), after errors not all
//   {"command": "new book", "name": "gpu-notes", "title": "", "language": "en"}
//   {"command": "new chapter", "slug": "gpu"}
//   {"command": "version"}
//
// and with each that makes a site "format", "base_url", "repository", "drafts", "unmeasured", as primer's options of these names.
// → {"status": 0, "out": "…", "err": "…", "files": {"chapters/en/gpu.md": "…"}}: what is printed, and to be written
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generator/typeset/typesetting.hpp"
#include "generator/workshop/memory_cache.hpp"

namespace primer {

class BookCall {
 public:
  // `convert` sets formulas.
  explicit BookCall(Typesetting::Convert convert) : convert_(std::move(convert)) {}
  // Nothing where the request has no command.
  std::optional<std::string> answer(std::string_view request);

 private:
  Typesetting::Convert convert_;
  MemoryCache cache_{std::size_t{64} << 20};  // who asks again gets what was made before
};

}  // namespace primer
