#include "generator/core/load/modules.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/checksum.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"

namespace primer {
namespace {

struct ModuleFile {
  const char* built;      // below the modules' directory
  const char* published;  // below the assets' directory
  const char* sources;    // prefix of the sources compiled into it; empty: not a single directory
};
// If several modules contain a source, the first is the one that every browser can load.
constexpr ModuleFile module_files[] = {
    {"wasm_kernels/traps.wasm", "kernels/traps.wasm", "wasm_kernels/traps/"},
    {"wasm_kernels/lab-simd128.wasm", "kernels/lab-simd128.wasm", "wasm_kernels/lab/"},
    {"wasm_kernels/lab-relaxed.wasm", "kernels/lab-relaxed.wasm", "wasm_kernels/lab/"},
    {"wasm_kernels/lab-shared.wasm", "kernels/lab-shared.wasm", "wasm_kernels/lab/"},
    {"wasm_kernels/layers-simd128.wasm", "kernels/layers-simd128.wasm", "wasm_kernels/layers/"},
    {"wasm_kernels/layers-relaxed.wasm", "kernels/layers-relaxed.wasm", "wasm_kernels/layers/"},
    {"wasm_kernels/webgpu.wasm", "kernels/webgpu.wasm", "wasm_kernels/webgpu/"},
    {"wasm_kernels/kernels-simd128.wasm", "kernels/kernels-simd128.wasm", "wasm_kernels/"},
    {"wasm_kernels/kernels-relaxed.wasm", "kernels/kernels-relaxed.wasm", "wasm_kernels/"},
    {"wasm_kernels/kernels-simd128-shared.wasm", "kernels/kernels-simd128-shared.wasm",
     "wasm_kernels/"},
    {"wasm_kernels/kernels-relaxed-shared.wasm", "kernels/kernels-relaxed-shared.wasm",
     "wasm_kernels/"},
    {"figures/page.wasm", "page.wasm", ""},
    {"figures/page-plots.wasm", "page-plots.wasm", ""},
    {"figures/costs.wasm", "costs.wasm", ""},
    {"figures/models-layers.wasm", "models-layers.wasm", ""},
    {"figures/models-chips.wasm", "models-chips.wasm", ""},
    {"figures/models-knobs.wasm", "models-knobs.wasm", ""},
    {"figures/models-many.wasm", "models-many.wasm", ""},
};

constexpr const char* shaders = "wasm_kernels/webgpu";

// A shader as pages compile it. Removes line comments and indentation but keeps the line breaks, so
// that compiler messages have the right line numbers. (WGSL uses "//" only for comments.)
std::string without_comments(std::string_view source) {
  std::string out;
  while (!source.empty()) {
    const std::size_t length = std::min(source.find('\n'), source.size());
    out += trim(source.substr(0, std::min(source.find("//"), length)));
    source.remove_prefix(std::min(length + 1, source.size()));
    if (!source.empty()) out += '\n';
  }
  return out;
}

}  // namespace

Modules Modules::load(const FileSystem* directory, Unbuilt unbuilt, Diagnostics& diagnostics) {
  Modules modules;
  if (!directory) return modules;
  if (unbuilt == Unbuilt::do_without && directory->read("unfinished")) return modules;
  bool is_whole = true;
  for (const auto& file : module_files) {
    auto bytes = directory->read(file.built);
    if (!bytes && report_unreadable(*directory, file.built, diagnostics, "modules/")) continue;
    if (!bytes && unbuilt == Unbuilt::do_without) {
      is_whole = false;  // keep reading, so that a watch knows the others
      continue;
    }
    if (!bytes) {
      diagnostics.error(Rule::missing_module, "",
                        "the WebAssembly module " + std::string(file.built) + " is not built");
      diagnostics.hint("run scripts/build, or pass --modules none for a site that cannot measure");
      continue;
    }
    const std::string path = file.built;
    const std::size_t size = bytes->size();
    modules.modules_[file.published] = {path.substr(path.rfind('/') + 1), std::move(*bytes), size};
  }
  if (!is_whole) return {};
  // All WGSL kernels in one file, because a single one would hardly compress.
  auto texts = nlohmann::json::object();
  for (const auto& path : directory->list(shaders)) {
    const std::size_t begin = path.rfind('/') + 1, end = path.rfind(".wgsl");
    if (end == path.npos) continue;
    const auto text = directory->read(path);
    if (!text) report_unreadable(*directory, path, diagnostics, "modules/");
    texts[path.substr(begin, end - begin)] = without_comments(text.value_or(""));
  }
  const std::string name = "shaders.json";
  if (texts.empty()) return modules;
  std::string all = texts.dump() + '\n';
  const std::size_t size = all.size();
  modules.modules_["kernels/" + name] = {name, std::move(all), size};
  return modules;
}

Modules Modules::known(std::map<std::string, Module> modules) {
  Modules all;
  all.modules_ = std::move(modules);
  return all;
}

std::string Module::short_checksum() const {
  return checksum.empty() ? sha256(bytes).substr(0, 16) : checksum;
}

const Module* Modules::holding(std::string_view source) const {
  if (source.ends_with(".wgsl")) return nullptr;  // not in a module
  for (const auto& file : module_files) {
    const std::string_view sources = file.sources;
    if (sources.empty() || !source.starts_with(sources)) continue;
    const auto found = modules_.find(file.published);
    return found == modules_.end() ? nullptr : &found->second;
  }
  return nullptr;
}

Digest Modules::version() const {
  Packer packer;
  for (const auto& [path, module] : modules_) packer.add(digest(module.bytes));
  return digest(packer.bytes);
}

}  // namespace primer
