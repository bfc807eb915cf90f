#include "generator/cli/profile_command.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <set>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/book_kernels.hpp"
#include "generator/core/load/profile_validation.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {
using figures::Measurement;
using figures::Parameter;
using figures::Profile;
using figures::Query;

constexpr double repeatable = 0.03;
constexpr double same_size = 1.5;

std::string digits(double value) { return figures::write_significant(value, 3); }

// A value as expressions write it: "8MiB" for 8388608.
std::string spelled(double value, std::string_view unit) {
  std::string suffix;
  if (unit == "B" && value >= 1024 && std::fmod(value, 1024) == 0) {
    const bool large = std::fmod(value, 1024 * 1024) == 0;
    value /= large ? 1024 * 1024 : 1024;
    suffix = large ? "MiB" : "KiB";
  }
  const bool is_whole = std::fmod(value, 1) == 0 && std::abs(value) < 1e15;
  return (is_whole ? std::to_string(static_cast<long long>(value)) : digits(value)) + suffix;
}

// A capacity, which is an estimate: "45.3 KiB".
std::string capacity(double bytes) {
  constexpr double kibi = 1024, mebi = kibi * kibi;
  return bytes < mebi ? digits(bytes / kibi) + " KiB" : digits(bytes / mebi) + " MiB";
}

// A result as a term of an expression, without default arguments: "matmul.packed{n=512,threads=2}".
std::string term(const Query& query, const figures::KernelInfo* kernel) {
  std::vector<std::string> arguments;
  if (!query.variant.empty()) arguments.push_back("variant=" + query.variant);
  for (const Parameter& param : query.params) {
    std::string unit;
    bool is_default = false;
    for (std::size_t i = 0; kernel != nullptr && i < kernel->params.size(); ++i) {
      if (kernel->params[i].name != param.name) continue;
      unit = kernel->params[i].unit;
      is_default = kernel->params[i].fallback == param.value;
    }
    if (!is_default) arguments.push_back(param.name + "=" + spelled(param.value, unit));
  }
  if (query.threads != 1) arguments.push_back("threads=" + std::to_string(query.threads));
  if (!query.device.empty()) arguments.push_back("device=" + query.device);
  return query.kernel + (arguments.empty() ? "" : "{" + join(arguments, ",") + "}");
}

Query query_of(const Measurement& result, const Profile& profile,
               const figures::KernelInfo* kernel) {
  Query query;
  query.kernel = result.kernel;
  query.variant = result.variant;
  query.threads = result.threads;
  query.device = result.device == profile.cpu() ? "" : result.device;
  if (kernel == nullptr) {
    query.params = result.params;
    return query;
  }
  for (const auto& param : kernel->params) {
    query.params.push_back({param.name, result.param(param.name, param.fallback)});
    query.defaults.push_back({param.name, param.fallback});
  }
  return query;
}

// Standard error of a median for normally distributed samples: 1.2533 σ / √n with σ = 1.4826 MAD.
double error_of(const Measurement& result) {
  return 1.2533 * 1.4826 * result.mad / std::sqrt(std::max(1, result.samples));
}

// `error` is the standard error of a - b.
std::string verdict(double a, double b, double error) {
  const double apart = std::abs(a - b);
  const bool differs = apart > 3 * error && apart > repeatable * std::min(a, b);
  return differs ? "differs" : "same";
}

std::string ratio(double a, double b) { return a > 0 && b > 0 ? digits(b / a) : ""; }

std::string cell(const Measurement* result) {
  if (result == nullptr) return "–";
  if (!result->measured) return "unavailable";
  return digits(result->median) + " ±" + digits(result->mad) + (result->trusted() ? "" : "*");
}

class Comparison {
 public:
  Comparison(const NamedProfile& a, const NamedProfile& b, const figures::Catalogue& catalogue)
      : a_(a), b_(b), catalogue_(catalogue) {}

  std::string text() {
    std::string out = machine("A", a_) + machine("B", b_) + differences() + '\n';
    for (const auto fill :
         {&Comparison::results, &Comparison::roofs, &Comparison::levels, &Comparison::settings}) {
      TableRows table;
      (this->*fill)(table);
      if (table.size() > 1) out += in_columns(table, true) + '\n';
    }
    for (const std::string& note : notes_) out += note + '\n';
    if (notes_.empty()) out.pop_back();
    return out;
  }

 private:
  static std::string machine(const char* letter, const NamedProfile& named) {
    const Profile& p = named.profile;
    std::vector<std::string> parts{p.name.empty() ? processor(p) : p.name, p.browser, p.engine,
                                   p.os, p.created.substr(0, 10)};
    std::erase(parts, "");
    return std::string(letter) + "  " + named.name + ": " + join(parts, ", ") + '\n';
  }

  static std::string processor(const Profile& profile) {
    for (const figures::Device& device : profile.devices)
      if (device.kind == "cpu") return device.name;
    return "";
  }

  // Why a ratio may have several causes, for example "different: browser, processor".
  std::string differences() const {
    const Profile& a = a_.profile;
    const Profile& b = b_.profile;
    std::vector<std::string> found;
    const auto compare = [&](const char* what, const std::string& left, const std::string& right) {
      if (left != right) found.push_back(what);
    };
    compare("browser", a.browser, b.browser);
    compare("engine", a.engine, b.engine);
    compare("system", a.os, b.os);
    compare("processor", processor(a), processor(b));
    if (a.isolated != b.isolated) found.push_back("isolation");
    return found.empty() ? "Same browser, system and processor.\n"
                         : "Different: " + join(found, ", ") + ".\n";
  }

  void results(TableRows& table) {
    table.push_back({"result", "A", "B", "unit", "B/A", ""});
    std::vector<std::string> seen;
    for (const Profile* profile : {&a_.profile, &b_.profile}) {
      for (const Measurement& result : profile->results) {
        const auto* kernel = catalogue_.find(result.kernel, result.variant);
        const Query query = query_of(result, *profile, kernel);
        const std::string name = term(query, kernel);
        if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
        seen.push_back(name);
        result_row(table, name, a_.profile.find(query), b_.profile.find(query));
      }
    }
  }

  void result_row(TableRows& table, const std::string& name, const Measurement* a,
                  const Measurement* b) {
    const bool both = a != nullptr && b != nullptr && a->measured && b->measured;
    const std::string& unit = a != nullptr && a->measured ? a->unit : b != nullptr ? b->unit : "";
    std::string word;
    if (both) {
      word = verdict(a->median, b->median, std::hypot(error_of(*a), error_of(*b)));
      if (a->module != b->module) word += " (" + a->module + ", " + b->module + ")";
    }
    table.push_back({name, cell(a), cell(b), unit, both ? ratio(a->median, b->median) : "", word});
    note("A", name, a);
    note("B", name, b);
  }

  void note(const char* letter, const std::string& name, const Measurement* result) {
    if (result == nullptr) return;
    const std::string words = !result->measured   ? "unavailable, because " + result->reason
                              : result->trusted() ? ""
                              : result->verified  ? "* " + join(result->flags, ", ")
                                                  : "* not verified";
    if (!words.empty()) notes_.push_back(std::string(letter) + " " + name + ": " + words);
  }

  void pair(TableRows& table, const std::string& name, double a, double b, const std::string& unit,
            bool is_size = false) {
    if (!(a > 0) && !(b > 0)) return;
    const auto text = [&](double value) {
      return value > 0 ? is_size ? capacity(value) : digits(value) : "–";
    };
    std::string word;
    if (a > 0 && b > 0) {
      word = is_size ? std::max(a, b) >= same_size * std::min(a, b) ? "differs" : "same"
                     : verdict(a, b, 0);
    }
    table.push_back({name, text(a), text(b), unit, ratio(a, b), word});
  }

  void roofs(TableRows& table) {
    table.push_back({"roof", "A", "B", "unit", "B/A", ""});
    std::vector<std::string> seen;
    for (const Profile* profile : {&a_.profile, &b_.profile}) {
      for (const figures::Roof& roof : profile->roofs) {
        const std::string name = roof_name(roof, *profile);
        if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
        seen.push_back(name);
        pair(table, name, roof_value(a_.profile, name), roof_value(b_.profile, name), roof.unit);
      }
    }
  }

  static std::string roof_name(const figures::Roof& roof, const Profile& profile) {
    std::string name = roof.is_bandwidth() ? roof.level : roof.isa + roof.type;
    if (roof.threads != 1) name += "{threads=" + std::to_string(roof.threads) + "}";
    if (!roof.device.empty() && roof.device != profile.cpu()) name += " on " + roof.device;
    return name;
  }

  static double roof_value(const Profile& profile, const std::string& name) {
    for (const figures::Roof& roof : profile.roofs)
      if (roof_name(roof, profile) == name) return roof.value;
    return 0;
  }

  void levels(TableRows& table) {
    table.push_back({"level", "A", "B", "unit", "B/A", ""});
    std::vector<std::string> names;
    for (const Profile* profile : {&a_.profile, &b_.profile})
      for (const figures::Level& level : profile->levels)
        if (std::find(names.begin(), names.end(), level.name) == names.end())
          names.push_back(level.name);
    for (const std::string& name : names) {
      const auto a = level_of(a_.profile, name), b = level_of(b_.profile, name);
      pair(table, name + " reads", a.read_gbs, b.read_gbs, "GB/s");
      pair(table, name + " latency", a.latency_ns, b.latency_ns, "ns");
      pair(table, name + " size", a.bytes, b.bytes, "", true);
    }
  }

  // Finds a level by its exact name. "out" is here a level of that name, not the outermost one.
  static figures::Level level_of(const Profile& profile, const std::string& name) {
    for (const figures::Level& level : profile.levels)
      if (level.name == name) return level;
    return {};
  }

  void settings(TableRows& table) {
    table.push_back({"machine", "A", "B", "unit", "B/A", ""});
    const Profile& a = a_.profile;
    const Profile& b = b_.profile;
    pair(table, "clock", a.clock_ghz, b.clock_ghz, "GHz");
    pair(table, "timer", a.timer_us, b.timer_us, "µs");
    pair(table, "cores", a.cores_usable, b.cores_usable, "");
  }

  const NamedProfile& a_;
  const NamedProfile& b_;
  const figures::Catalogue& catalogue_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string compare_profiles(const NamedProfile& a, const NamedProfile& b,
                             const figures::Catalogue& catalogue) {
  return Comparison(a, b, catalogue).text();
}

// The commands.

namespace {
// The kernels of the book in this directory, or primer's own if there is no readable book.
std::shared_ptr<const BookKernels> kernels_of(const std::string& directory) {
  const auto files = disk(directory);
  Diagnostics reported_by_check;
  const auto book =
      files->read(book_file) ? load_book(*files, reported_by_check) : std::optional<Book>();
  auto kernels =
      book ? BookKernels::load(*files, *book, reported_by_check) : BookKernels::built_in();
  if (reported_by_check.has_errors())
    note("the book has errors, so its own kernels may be unknown here: run primer check");
  return kernels;
}

// Validates profiles against the catalog of kernels.
class Judge {
 public:
  Judge(const std::string& book, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    auto known = figures::Catalogue::from_json(kernels_of(book)->descriptions());
    if (known) catalogue = std::move(*known);
  }

  // The profile in a file, whose text is stored in `content` if that is not null.
  std::optional<figures::Profile> profile(const std::string& name, std::string* content = nullptr) {
    const std::filesystem::path path(name);
    const auto directory = path.has_parent_path() ? path.parent_path() : ".";
    const auto files = disk(directory.string());
    auto text = files->read(path.filename().string());
    if (!text) {
      const Unreadable reason = files->why_unreadable(path.filename().string());
      if (!reason.message.empty()) {
        diagnostics_.error(reason.too_large ? Rule::file_too_large : Rule::file_unreadable, name,
                           reason.message);
        return std::nullopt;
      }
      diagnostics_.error(Rule::file_unreadable, name, "there is no such file");
      return std::nullopt;
    }
    if (content) *content = *text;
    const auto file = parse_json(name, std::move(*text), diagnostics_);
    return file ? validate_profile(*file, catalogue, diagnostics_) : std::nullopt;
  }

  figures::Catalogue catalogue;

 private:
  Diagnostics& diagnostics_;
};

std::string summary(const figures::Profile& profile) {
  std::set<std::string> kernels;
  for (const auto& result : profile.results) kernels.insert(result.kernel);
  const auto unavailable = std::count_if(profile.results.begin(), profile.results.end(),
                                         [](const auto& result) { return !result.measured; });
  return counted(profile.results.size(), "result") + " of " + counted(kernels.size(), "kernel") +
         " (" + std::to_string(unavailable) + " unavailable), " +
         counted(profile.roofs.size(), "roof") + ", " + counted(profile.levels.size(), "level");
}

}  // namespace

std::string validate_profiles(const std::vector<std::string>& files, const std::string& book,
                              Diagnostics& diagnostics) {
  Judge judge(book, diagnostics);
  std::string out;
  for (const std::string& file : files)
    if (const auto profile = judge.profile(file))
      out += visible(file) + ": " + summary(*profile) + '\n';
  return out;
}

std::string compare_profile_files(const std::string& a, const std::string& b,
                                  const std::string& book, Diagnostics& diagnostics) {
  Judge judge(book, diagnostics);
  auto left = judge.profile(a);
  auto right = judge.profile(b);
  if (!left || !right) return "";
  return compare_profiles({visible(a), std::move(*left)}, {visible(b), std::move(*right)},
                          judge.catalogue);
}

std::optional<std::string> valid_profile_text(const std::string& file, const std::string& book,
                                              Diagnostics& diagnostics) {
  std::string text;
  if (!Judge(book, diagnostics).profile(file, &text)) return std::nullopt;
  return text;
}

namespace {
// A sandbox that may read the profiles and the book.
Sandbox reading_profiles(const std::vector<std::string>& profiles, const std::string& book) {
  auto sandbox = reading({profiles.begin(), profiles.end()});
  sandbox.read.emplace_back(book);
  return sandbox;
}
}  // namespace

int run(const ValidateCommand& command) {
  if (!enter(reading_profiles(command.profiles, command.book), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const std::string text = validate_profiles(command.profiles, command.book, diagnostics);
  if (command.format == "text") std::cout << text;
  return report(diagnostics, {".", {}, command.format});
}

int run(const CompareCommand& command) {
  if (!enter(reading_profiles(command.profiles, command.book), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  std::cout << compare_profile_files(command.profiles[0], command.profiles[1], command.book,
                                     diagnostics);
  return report(diagnostics, {});
}

}  // namespace primer
