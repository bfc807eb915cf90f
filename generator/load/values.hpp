// Everything a number in a chapter may come from: facts, the kernels, the reference machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "figures/quantities/notation.hpp"
#include "generator/base/tasks.hpp"
#include "generator/load/book.hpp"
#include "generator/load/kernel_catalogue.hpp"
#include "generator/load/references.hpp"

namespace primer {

struct Values {
  figures::Facts facts;
  figures::Catalogue catalogue;
  NativeWork work;
  std::optional<figures::Profile> reference;  // absent: nothing measured, or building unmeasured
  std::string reference_text;                 // the profile's file, as published
  // Of another machine, where the reference has no GPU: what measurements of GPUs show beside the reader's.
  std::optional<figures::Profile> reference_gpu;
  Digest version;  // of all the files that they were read from
  // Build although the reference profile is missing or incomplete: measured literals are taken as
  // written. That is how the very first profile gets recorded.
  bool unmeasured = false;
  std::string latest = {};  // the last day on which something can have been measured

  figures::Sources facts_only() const { return {&facts, &catalogue, &work, nullptr}; }
  figures::Sources with_reference() const {
    return {&facts, &catalogue, &work, reference ? &*reference : nullptr};
  }
  figures::Sources with_reference_gpu() const {
    return {&facts, &catalogue, &work, reference_gpu ? &*reference_gpu : nullptr};
  }
};

// Below facts_directory, all that hold facts.
inline constexpr std::string_view fact_files[] = {"assumptions.json", "chips.json", "claims.json",
                                                  "energy.json",      "links.json", "models.json",
                                                  "races.json",       "runs.json"};

// Every file of facts; reports what is broken.
void load_facts(const FileSystem& files, figures::Facts& facts, Diagnostics& diagnostics,
                Cache* cache = nullptr);

// Reports the sources of facts that no reference is, or one that nobody has compared, where they stand.
void check_sources(const FileSystem& files, const figures::Facts& facts, const References& library,
                   Diagnostics& diagnostics);

// Reports dates of claims and references that do not exist, or come after the book's own or after those
// that they depend on.
void check_dates(const FileSystem& files, const figures::Facts& facts, const References& library,
                 const Book& book, Diagnostics& diagnostics);

// Reports broken facts and, unless `unmeasured`, a reference profile that is named but missing.
std::unique_ptr<const Values> load_values(const FileSystem& files, const Book& book,
                                          bool unmeasured, Diagnostics& diagnostics,
                                          Cache* cache = nullptr, const Tasks& tasks = sequential);

}  // namespace primer
