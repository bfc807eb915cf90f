#include "generator/core/load/book_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "generator/core/base/checksum.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/code/listing.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/kernel_catalogue.hpp"
#include "generator/core/load/kernel_module.hpp"

namespace primer {

using figures::Error;
using figures::Expression;
using nlohmann::json;

namespace {

constexpr double most_memory = 2147483648.0;  // bytes that a page can have
constexpr std::int64_t checkout_time = 2;     // seconds: git writes a commit's files in any order
// Names that mean something else in an expression.
constexpr std::string_view taken_names[] = {"min",  "max",   "sqrt", "log2", "abs", "round",
                                            "ceil", "floor", "and",  "or",   "not"};

// The limit of a kernel decides its unit and its place under the roofs.
struct Class {
  std::string_view name, unit, roof;
};
constexpr Class classes[] = {{"compute", "GFLOP/s", "fma"},
                             {"bandwidth", "GB/s", "memory"},
                             {"latency", "ns", "latency"},
                             {"other", "GFLOP/s", ""}};

// The exports that a page calls, with their signatures.
struct Export {
  std::string_view name, signature;
};
constexpr Export called[] = {{"args", "() -> i32"},
                             {"prepare", "(i32, i32) -> nothing"},
                             {"run", "(i32, i32, i32) -> nothing"}};
constexpr Export verify = {"verify", "(i32, i32) -> f64"};

bool is_shader(std::string_view module) { return module.ends_with(".wgsl"); }

// The names of functions in WGSL. The browser validates the rest.
std::set<std::string> functions_of(std::string_view shader) {
  std::set<std::string> names;
  for (std::size_t at = shader.find("fn "); at != shader.npos; at = shader.find("fn ", at + 3)) {
    const std::size_t begin = std::min(shader.find_first_not_of(' ', at + 3), shader.size());
    names.emplace(shader.substr(begin, shader.find_first_of(" (\n", begin) - begin));
  }
  return names;
}

figures::Given with_params(const json& params, const char* member, const json& replaced = {}) {
  figures::Given given(nullptr);
  for (const json& one : params) {
    const std::string name = one.at("name");
    const bool is_replaced = replaced.is_object() && replaced.contains(name);
    given.set(name, figures::Quantity{is_replaced ? replaced.at(name).get<double>()
                                                  : one.at(member).get<double>()});
  }
  return given;
}

}  // namespace

// Reads one directory.
class PackReader {
 public:
  PackReader(const FileSystem& files, const Book& book, std::string directory, JsonFile file,
             BookKernels& kernels, Diagnostics& diagnostics)
      : files_(files),
        book_(book),
        directory_(std::move(directory)),
        file_(std::move(file)),
        kernels_(kernels),
        diagnostics_(diagnostics) {}

  void read() {
    const Yaml& modules = *file_.tree.find("modules");
    for (const auto& [name, about] : modules.entries) module(name, about);
    for (std::size_t i = 0; i < file_.value.at("kernels").size(); ++i)
      kernel(file_.value.at("kernels")[i], file_.tree.find("kernels")->items[i]);
  }

 private:
  // A module of the directory, as read; no value in `outside` after a diagnostic.
  struct ReadModule {
    std::string path;       // in the site, below the assets' directory
    std::string integrity;  // "sha256-…"
    std::optional<KernelModule> outside;
    std::set<std::string> shader_functions;  // of a module in WGSL, whose `outside` is empty
    int kernels = 0;                         // that have named it so far
  };

  Diagnostic& error(const Yaml& at, std::string message, std::string suggestion = {}) {
    return diagnostics_.error(Rule::bad_value, file_.source, at.offset, at.length,
                              std::move(message), std::move(suggestion));
  }

  void module(const Yaml& name, const Yaml& about) {
    ReadModule& read = modules_[name.text];
    if (normal_path(name.text) != name.text || name.text.find('/') != name.text.npos ||
        !(name.text.ends_with(".wasm") || is_shader(name.text)))
      return static_cast<void>(
          error(name, "expected the name of a .wasm or .wgsl file in " + directory_));
    const std::string path = directory_ + '/' + name.text;
    auto bytes = files_.read(path);
    if (!bytes) return missing_module(name, about, path);
    if (bytes->size() > largest_kernel_module) {
      error(name, path + " has " + std::to_string(bytes->size() / 1024) +
                      " KiB; a module of kernels has at most " +
                      std::to_string(largest_kernel_module / 1024));
      diagnostics_.hint("it may contain debug information; in Rust, add -C strip=debuginfo");
      return;
    }
    const std::string hash = sha256(*bytes);
    if (const Yaml* stated = about.find("sha256"); stated && stated->text != hash) {
      error(*stated, path + " is another file: its SHA-256 is " + hash);
      diagnostics_.hint("if you built it yourself, write this hash here");
      return;
    }
    auto outside = is_shader(name.text) ? KernelModule() : read_kernel_module(*bytes);
    if (!outside) return static_cast<void>(error(name, path + ": " + outside.error().message));
    if (is_shader(name.text)) read.shader_functions = functions_of(*bytes);
    read.path = "packs/" + path;
    read.integrity = integrity(*bytes);
    read.outside = std::move(outside).value();
    const std::size_t size = bytes->size();
    kernels_.modules_[read.path] = {name.text, std::move(*bytes), size};
  }

  void missing_module(const Yaml& name, const Yaml& about, const std::string& path) {
    const Unreadable why = files_.why_unreadable(path);
    diagnostics_.error(Rule::missing_module, file_.source, name.offset, name.length,
                       path + (why.message.empty() ? " is not built" : ": " + why.message));
    const Yaml* build = about.find("build");
    if (build && why.message.empty())
      diagnostics_.hint("in " + directory_ + ", run: " + shortened(build->text, 100));
  }

  void kernel(const json& value, const Yaml& tree) {
    Record record(tree, file_.source, diagnostics_);
    OwnKernel own{value.at("id"), {}, {}, {}, {}, {}, {}};
    const std::size_t before = diagnostics_.count(Severity::error);
    check_id(record.at("id"), is_shader(record.at("module").text));
    const json params = value.value("params", json::array());
    if (!check_params(params, tree.find("params"), own)) return;
    own.flops = expression(record.at("flops"), params);
    own.bytes = expression(record.at("bytes"), params);
    static_cast<void>(expression(record.at("memory"), params, most_memory));
    check(*tree.find("check"), value.at("check"), params);
    check_gpu(tree, params, is_shader(record.at("module").text));
    titles(record.at("title"), own);
    source(tree.find("source"), own, record.at("module").text);
    const ReadModule* module = module_of(record, value.at("check").at("kind") == "reference");
    if (!module || diagnostics_.count(Severity::error) != before) return;
    own.module = module->path;
    kernels_.descriptions_.push_back(description(value, own, *module));
    kernels_.own_.push_back(std::move(own));
  }

  void check_id(const Yaml& id, bool is_gpu) {
    if (id.text.starts_with("gpu.") != is_gpu)
      error(id, is_gpu ? "the id of a kernel in WGSL begins with \"gpu.\""
                       : "only ids of kernels in WGSL begin with \"gpu.\"");
    const auto same = [&](const json& one) { return one.at("id") == id.text; };
    if (!std::ranges::any_of(kernels_.descriptions_, same) && ids_.insert(id.text).second) return;
    diagnostics_.error(Rule::duplicate_id, file_.source, id.offset, id.length,
                       "there is another kernel " + in_quotes(id.text));
  }

  bool check_params(const json& params, const Yaml* tree, OwnKernel& own) {
    for (std::size_t i = 0; i < params.size(); ++i) {
      const Yaml& at = tree->items[i];
      const std::string name = params[i].at("name");
      const double least = params[i].at("min"), most = params[i].at("max"),
                   usual = params[i].at("default");
      if (name.find('-') != name.npos ||
          std::ranges::find(taken_names, name) != std::end(taken_names) ||
          figures::parse_unit(name))
        return error(*at.find("name"), in_quotes(name) +
                                           " cannot be used in expressions, because it "
                                           "is a unit or a function, or has a hyphen"),
               false;
      if (std::ranges::find(own.params, name) != own.params.end())
        return error(*at.find("name"), "there are two parameters " + in_quotes(name)), false;
      if (!(least <= usual && usual <= most))
        return error(*at.find("default"), "the default must be between min and max"), false;
      own.params.push_back(name);
    }
    return true;
  }

  // The parser takes the name in "2n" for a unit and in "n(n + 1)" for a function.
  static void explain_product(Error& fault, const std::string& text, const json& params) {
    const std::string name = text.substr(fault.offset, fault.length);
    const auto is_named = [&](const json& one) { return one.at("name") == name; };
    if (std::ranges::none_of(params, is_named)) return;
    const bool is_unit = fault.code == figures::Code::unknown_unit;
    fault.message =
        in_quotes(name) + " is a parameter, " +
        (is_unit ? "not a unit; expected * before it" : "not a function; expected * after it");
    fault.suggestion = is_unit ? "* " + name : name + " *";
  }

  // An expression over the parameters whose value is a number from 0 to `most` at their defaults
  // and at least 0 at both ends. `replaced` are parameters that the check sets.
  Expression expression(const Yaml& at, const json& params, double most = 1e18,
                        const json& replaced = {}) {
    const Extract extract = extract_scalar(file_.source, at.offset, at.text);
    const auto report = [&](Error fault) {
      explain_product(fault, at.text, params);
      const std::size_t length = std::max<std::size_t>(fault.length, 1);
      const std::size_t begin = fault.length > 0 ? extract.place(fault.offset) : at.offset;
      diagnostics_.error(Rule::bad_expression, file_.source, begin,
                         fault.length > 0 ? length : at.length, fault.message, fault.suggestion);
    };
    auto parsed = Expression::parse(at.text);
    if (!parsed) return report(parsed.error()), Expression();
    for (const char* member : {"default", "min", "max"}) {
      figures::Given given = with_params(params, member, replaced);
      const auto value = parsed->evaluate(given);
      const bool is_usual = std::string_view(member) == "default";
      const std::string where =
          is_usual ? "" : std::string(" where all parameters are at their ") + member;
      if (!value) {
        report(value.error());
      } else if (!value->dimension.is_number()) {
        report({"expected a number without a unit, not " + figures::describe(value->dimension)});
      } else if (!(value->value >= 0) || (is_usual && !(value->value <= most))) {
        report({"expected a number from 0 to " + json(most).dump() + ", not " +
                json(value->value).dump() + where});
      } else {
        continue;
      }
      return {};
    }
    return std::move(parsed).value();
  }

  void check(const Yaml& at, const json& value, const json& params) {
    const std::string kind = value.at("kind");
    const json replaced = value.value("params", json::object());
    if (const Yaml* given = at.find("params")) {
      for (const auto& [name, number] : given->entries) known_param(name, number, params);
    }
    const std::vector<std::string> wanted =
        kind == "product"    ? std::vector<std::string>{"m", "n", "k", "a", "b", "c"}
        : kind == "checksum" ? std::vector<std::string>{"at", "bytes", "value"}
                             : std::vector<std::string>{};
    for (const auto& name : wanted) {
      const Yaml* found = at.find(name);
      if (!found) {
        diagnostics_.error(
            Rule::missing_key, file_.source, at.offset, 1,
            "a check of the kind " + in_quotes(kind) + " needs the key " + in_quotes(name));
      } else if (name == "value") {
        if (found->text.size() != 8 ||
            found->text.find_first_not_of("0123456789abcdef") != std::string::npos)
          error(*found, "expected eight hexadecimal digits in lower case");
      } else {
        static_cast<void>(expression(*found, params, most_memory, replaced));
      }
    }
  }

  // The member "gpu", which kernels in WGSL need and others lack.
  void check_gpu(const Yaml& kernel, const json& params, bool is_gpu) {
    const Yaml* gpu = kernel.find("gpu");
    if (!is_gpu) {
      if (gpu) error(*gpu, "only a kernel in WGSL has the key \"gpu\"");
      return;
    }
    if (!gpu)
      return static_cast<void>(diagnostics_.error(Rule::missing_key, file_.source, kernel.offset, 1,
                                                  "a kernel in WGSL needs the key \"gpu\""));
    for (const char* list : {"groups", "buffers"})
      for (const Yaml& one : gpu->find(list)->items)
        static_cast<void>(expression(one, params, most_memory));
    const Yaml& test = *kernel.find("check");
    if (test.find("kind")->text == "reference" && !(test.find("at") && test.find("bytes")))
      diagnostics_.error(Rule::missing_key, file_.source, test.offset, 1,
                         "a reference in WGSL needs the keys \"at\" and \"bytes\"");
  }

  void known_param(const Yaml& name, const Yaml& number, const json& params) {
    std::vector<std::string> known;
    for (const json& one : params) {
      known.push_back(one.at("name"));
      if (known.back() != name.text) continue;
      const double value = json::parse(number.text).get<double>();
      if (value >= one.at("min").get<double>() && value <= one.at("max").get<double>()) return;
      return static_cast<void>(error(number, in_quotes(name.text) + " must be from " +
                                                 one.at("min").dump() + " to " +
                                                 one.at("max").dump()));
    }
    error(name, "the kernel has no parameter " + in_quotes(name.text), nearest(name.text, known));
  }

  void titles(const Yaml& title, OwnKernel& own) {
    if (title.kind == Yaml::Kind::scalar) own.titles[""] = title.text;
    for (const auto& [language, text] : title.entries) own.titles[language.text] = text.text;
    if (own.titles.contains("")) return;
    const auto usual = own.titles.find(book_.source_language);
    if (usual != own.titles.end()) own.titles[""] = usual->second;
    else
      error(title,
            "the title is missing in the book's language, " + in_quotes(book_.source_language));
  }

  // Reads the source as a listing does, so that a missing region is reported before a chapter shows it.
  void source(const Yaml* at, OwnKernel& own, const std::string& module) {
    if (!at) return;
    const std::string prefix = directory_ + '/';
    const auto listing = read_listing(files_, prefix + at->text);
    if (!listing) {
      const Error& fault = listing.error();
      const Extract extract = extract_scalar(file_.source, at->offset, at->text);
      const std::size_t from = std::max(fault.offset, prefix.size()) - prefix.size();
      const std::size_t begin = extract.place(from), end = fault.offset + fault.length;
      const std::size_t length = std::max(end, prefix.size() + from + 1) - prefix.size() - from;
      std::string_view nearest_name = fault.suggestion;
      if (nearest_name.starts_with(prefix)) nearest_name.remove_prefix(prefix.size());
      return static_cast<void>(diagnostics_.error(Rule::bad_value, file_.source, begin, length,
                                                  fault.message, std::string(nearest_name)));
    }
    own.source = listing->file;
    warn_if_newer(*at, own.source, module);
  }

  // The page would show the new source and measure the old module.
  void warn_if_newer(const Yaml& at, const std::string& source, const std::string& module) {
    if (source == directory_ + '/' + module) return;
    const auto edited = files_.modified(source), built = files_.modified(directory_ + '/' + module);
    if (!edited || !built || *edited <= *built + checkout_time) return;
    diagnostics_.warning(Rule::missing_module, file_.source, at.offset, at.length,
                         source + " is newer than " + module);
    const Yaml* about = file_.tree.find("modules")->find(module);
    const Yaml* build = about ? about->find("build") : nullptr;
    diagnostics_.hint(build ? "in " + directory_ + ", run: " + shortened(build->text, 100)
                            : "build " + directory_ + '/' + module + " again");
  }

  // The kernel's module, after its exports were checked. Null if it cannot be used.
  ReadModule* module_of(const Record& record, bool has_verify) {
    const Yaml& name = record.at("module");
    const auto found = modules_.find(name.text);
    if (found == modules_.end()) {
      std::vector<std::string> known;
      for (const auto& [one, module] : modules_) known.push_back(one);
      error(name, in_quotes(name.text) + " is not among \"modules\"", nearest(name.text, known));
      return nullptr;
    }
    ReadModule& module = found->second;
    index_ = module.kernels++;
    if (!module.outside) return nullptr;
    bool is_whole = true;
    if (is_shader(name.text)) {
      for (const char* function : {"prepare", "run", "verify"}) {
        if (module.shader_functions.contains(function) || (function == verify.name && !has_verify))
          continue;
        is_whole = false;
        error(name, name.text + " must have the entry point " + in_quotes(function),
              nearest(function, {module.shader_functions.begin(), module.shader_functions.end()}));
      }
      return is_whole ? &module : nullptr;
    }
    const auto demand = [&](const Export& one) {
      const auto& functions = module.outside->functions;
      const auto there = functions.find(std::string(one.name));
      if (there != functions.end() && there->second == one.signature) return;
      is_whole = false;
      std::vector<std::string> names;
      for (const auto& [exported, signature] : functions) names.push_back(exported);
      error(name,
            name.text + " must export the function " + std::string(one.name) + ' ' +
                std::string(one.signature) +
                (there == functions.end() ? "" : ", not " + there->second),
            there == functions.end() ? nearest(one.name, names) : "");
    };
    for (const Export& one : called) demand(one);
    if (has_verify) demand(verify);
    return is_whole ? &module : nullptr;
  }

  // As wasm_kernels/describe.cpp writes it, with the member "pack" for measure/packs.js.
  json description(const json& value, const OwnKernel& own, const ReadModule& module) {
    const Class& kind =
        *std::ranges::find(classes, value.at("class").get<std::string>(), &Class::name);
    json params = json::array();
    for (json one : value.value("params", json::array())) {
      for (const char* text : {"unit", "doc"})
        if (!one.contains(text)) one[text] = "";
      params.push_back(std::move(one));
    }
    json pack = {{"module", module.path},
                 {"integrity", module.integrity},
                 {"index", value.value("index", index_)}};
    for (const char* member : {"flops", "bytes", "memory", "check"})
      pack[member] = value.at(member);
    if (value.contains("gpu")) {
      pack["gpu"] = value.at("gpu");
    } else {
      pack["pages"] = module.outside->pages;
      pack["most_pages"] = module.outside->most_pages;
    }
    return {
        {"id", own.id},
        {"variant", ""},
        {"title", own.titles.at("")},
        {"unit", value.value("unit", std::string(kind.unit))},
        {"class", std::string(kind.roof)},
        {"element", value.value("element", "")},
        {"requires", ""},
        {"source",
         value.contains("source") ? directory_ + '/' + value.at("source").get<std::string>() : ""},
        {"bytes_count", ""},
        {"team", 0},
        {"params", std::move(params)},
        {"pack", std::move(pack)}};
  }

  const FileSystem& files_;
  const Book& book_;
  const std::string directory_;
  const JsonFile file_;
  BookKernels& kernels_;
  Diagnostics& diagnostics_;
  std::map<std::string, ReadModule> modules_;  // by name
  std::set<std::string> ids_;
  int index_ = 0;  // of the kernel among those of its module
};

std::shared_ptr<const BookKernels> BookKernels::built_in() {
  static const auto kernels = [] {
    auto all = std::make_shared<BookKernels>();
    all->descriptions_ = kernel_descriptions();
    return all;
  }();
  return kernels;
}

std::shared_ptr<const BookKernels> BookKernels::load(const FileSystem& files, const Book& book,
                                                     Diagnostics& diagnostics) {
  if (book.kernels.empty()) return built_in();
  auto kernels = std::make_shared<BookKernels>(*built_in());
  for (const auto& directory : book.kernels) {
    auto file = read_json(files, directory + '/' + std::string(kernels_file), diagnostics);
    if (!file || !conforms("kernels", "the list of kernels", *file, diagnostics)) continue;
    PackReader(files, book, directory, std::move(*file), *kernels, diagnostics).read();
  }
  return kernels;
}

const OwnKernel* BookKernels::find(std::string_view id) const {
  const auto found = std::ranges::find(own_, id, &OwnKernel::id);
  return found == own_.end() ? nullptr : &*found;
}

bool BookKernels::count(const figures::KernelInfo& kernel, const std::vector<double>& values,
                        double* flops, double* bytes) const {
  const OwnKernel* own = find(kernel.id);
  if (!own) return native_work(kernel, values, flops, bytes);
  figures::Given given(nullptr);
  for (std::size_t i = 0; i < std::min(values.size(), own->params.size()); ++i)
    given.set(own->params[i], figures::Quantity{values[i]});
  const auto operations = own->flops.evaluate(given), traffic = own->bytes.evaluate(given);
  if (!operations || !traffic) return false;
  *flops = operations->value;
  *bytes = traffic->value;
  return true;
}

const std::string* BookKernels::title(std::string_view id, const std::string& language) const {
  const OwnKernel* own = find(id);
  if (!own) return nullptr;
  const auto found = own->titles.find(language);
  return &(found == own->titles.end() ? own->titles.at("") : found->second);
}

const Module* BookKernels::module_of(std::string_view source) const {
  const auto found = std::ranges::find(own_, source, &OwnKernel::source);
  return found == own_.end() ? nullptr : &modules_.at(found->module);
}

Digest BookKernels::version() const {
  if (own_.empty()) return absent;
  Packer packer;
  packer.add(descriptions_.dump());
  for (const OwnKernel& own : own_) packer.add(own.titles);
  return digest(packer.bytes);
}

}  // namespace primer
