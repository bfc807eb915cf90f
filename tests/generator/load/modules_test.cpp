#include "generator/core/load/modules.hpp"

#include <map>
#include <string>

#include "catch.hpp"

using namespace primer;

namespace {

const std::map<std::string, std::string> all_built = [] {
  std::map<std::string, std::string> files;
  for (const char* name : {"traps", "webgpu", "lab-simd128", "lab-relaxed", "lab-shared",
                           "layers-simd128", "layers-relaxed", "kernels-simd128", "kernels-relaxed",
                           "kernels-simd128-shared", "kernels-relaxed-shared"}) {
    files["wasm_kernels/" + std::string(name) + ".wasm"] = name;
  }
  for (const char* name : {"costs", "page", "page-plots", "models-layers", "models-chips",
                           "models-knobs", "models-many"}) {
    files["figures/" + std::string(name) + ".wasm"] = name;
  }
  return files;
}();

// The number of modules of a site that may lack some.
std::size_t without(const std::map<std::string, std::string>& files) {
  Diagnostics diagnostics;
  const auto directory = in_memory(files);
  const auto modules = Modules::load(directory.get(), Unbuilt::do_without, diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  return modules.all().size();
}

}  // namespace

TEST_CASE("modules: a site that does without has all or none, and none that are unfinished",
          "[modules]") {
  CHECK(without(all_built) == all_built.size());
  CHECK(without({}) == 0);
  auto files = all_built;
  files["unfinished"] = "";
  CHECK(without(files) == 0);
  for (const auto& [path, bytes] : all_built) {
    files = all_built;
    files.erase(path);
    INFO(path);
    CHECK(without(files) == 0);
    Diagnostics diagnostics;
    static_cast<void>(Modules::load(in_memory(files).get(), Unbuilt::refuse, diagnostics));
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("modules: a missing one is requested, so that a watch notices it", "[modules]") {
  auto files = all_built;
  files.erase("figures/page.wasm");
  files.erase("wasm_kernels/traps.wasm");
  const auto directory = in_memory(files);
  Diagnostics diagnostics;
  static_cast<void>(Modules::load(directory.get(), Unbuilt::do_without, diagnostics));
  for (const auto& [path, bytes] : all_built)
    CHECK(directory->reads().contains(Dependency::file(path)));
}
