// The kernels that a book can name: primer's own, and those of the directories that book.yaml lists
// under `kernels`.
//
//   kernels/saxpy/kernels.json --+--> descriptions: registry.json, as of primer's own kernels
//                  saxpy.wasm  --+--> modules: published below packs/
//
// A directory is data. Its modules are never run here: read_kernel_module() checks what a page will
// find in them, and the page runs them in its measuring worker (site/runtime/measure/packs.js).
// FLOPs, bytes and memory are expressions over the parameters; build and page evaluate the same
// text. docs/reference/kernel-packs.md is the format.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/expression.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/modules.hpp"

namespace primer {

// A kernel of the book itself.
struct OwnKernel {
  std::string id;
  std::vector<std::string> params;
  figures::Expression flops, bytes;           // numbers, over `params`
  std::map<std::string, std::string> titles;  // by language; "" for all others
  std::string source;                         // "kernels/saxpy/saxpy.c", or empty
  std::string module;                         // key of BookKernels::modules()
};

class BookKernels final : public figures::WorkCounter {
 public:
  // Only primer's own kernels.
  static std::shared_ptr<const BookKernels> built_in();
  // primer's kernels and those of the book. Reports invalid directories and skips them.
  static std::shared_ptr<const BookKernels> load(const FileSystem& files, const Book& book,
                                                 Diagnostics& diagnostics);

  // An array in the format of registry.json; a kernel of the book has the member "pack".
  const nlohmann::json& descriptions() const { return descriptions_; }
  bool count(const figures::KernelInfo& kernel, const std::vector<double>& values, double* flops,
             double* bytes) const override;
  // The title in a language. Null: it is the description's title, to be translated by the strings.
  const std::string* title(std::string_view id, const std::string& language) const;
  // The modules of the book's kernels, by path below the assets' directory.
  const std::map<std::string, Module>& modules() const { return modules_; }
  // The module with the kernel whose code is in this file. Null: not a kernel of the book.
  const Module* module_of(std::string_view source) const;
  // A digest of everything above, for cache keys; `absent` without kernels of the book.
  Digest version() const;

 private:
  friend class PackReader;
  const OwnKernel* find(std::string_view id) const;

  nlohmann::json descriptions_;
  std::vector<OwnKernel> own_;
  std::map<std::string, Module> modules_;
};

// The manifest of a directory of kernels.
inline constexpr std::string_view kernels_file = "kernels.json";

}  // namespace primer
