// The interface of primer.wasm in Node (npm/): `primer check`, `build` and `new` for a book on
// disk. One JSON object in, one out.
//
//   {"command": "check", "files": ["chapters/en/a.md"], "prose": false, "counts": false}
//   {"command": "build"}         passes the files of the site to the worker (page_calls.hpp)
//   {"command": "new book", "name": "gpu-notes", "title": "", "language": "en"}
//   {"command": "new chapter", "slug": "gpu"}
//   {"command": "version"}
//
// Commands that make a site also take "format", "base_url", "repository", "drafts" and "unmeasured"
// like the options of primer. After errors, "build" may have passed only some files. The answer is
// what to print and to write:
//
//   {"status": 0, "out": "…", "err": "…", "files": {"chapters/en/gpu.md": "…"}}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generator/core/typeset/typesetting.hpp"
#include "generator/tools/workshop/workshop.hpp"

namespace primer {

class BookCall {
 public:
  // `convert` converts formulas.
  explicit BookCall(Typesetting::Convert convert) : convert_(std::move(convert)) {}
  // No value if the request has no command.
  std::optional<std::string> answer(std::string_view request);

 private:
  Typesetting::Convert convert_;
  MemoryCache cache_{std::size_t{64} << 20};  // speeds up repeated requests
};

}  // namespace primer
