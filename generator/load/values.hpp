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

// A profile that book.yaml names. Copies share it.
class ReferenceProfile {
 public:
  ReferenceProfile() = default;  // nothing measured, or building unmeasured
  ReferenceProfile(std::string file, std::string text, figures::Profile profile);

  const figures::Profile* get() const;  // null: none
  explicit operator bool() const { return get() != nullptr; }
  const figures::Profile& operator*() const { return *get(); }
  const figures::Profile* operator->() const { return get(); }
  const std::string& text() const { return content_->text; }  // the file, as published
  Digest version() const { return content_->version; }        // of the text; absent: none

  // The same profile, for one thread, with a record of whether somebody looked.
  ReferenceProfile watched() const;
  Dependencies reads() const;

 private:
  struct Content {
    std::string file, text;
    std::optional<figures::Profile> profile;
    Digest version = absent;
  };
  static std::shared_ptr<const Content> nothing();

  std::shared_ptr<const Content> content_ = nothing();
  bool is_watched_ = false;
  mutable bool is_asked_for_ = false;
};

struct Values {
  figures::Facts facts;
  figures::Catalogue catalogue;
  NativeWork work;
  ReferenceProfile reference;
  // Of another machine, where the reference has no GPU: what measurements of GPUs show beside the reader's.
  ReferenceProfile reference_gpu;
  // Build although the reference profile is missing or incomplete: measured literals are taken as
  // written. That is how the very first profile gets recorded.
  bool unmeasured = false;
  std::string latest = {};  // the last day on which something can have been measured

  figures::Sources facts_only() const { return {&facts, &catalogue, &work, nullptr}; }
  figures::Sources with_reference() const { return {&facts, &catalogue, &work, reference.get()}; }
  figures::Sources with_reference_gpu() const {
    return {&facts, &catalogue, &work, reference_gpu.get()};
  }

  // The same values for one thread, which record every lookup of a fact, of what it is about, and of
  // a profile, with a digest. *this must outlive the view.
  Values watched() const;
  Dependencies reads() const;

 private:
  std::shared_ptr<figures::FactLookups> lookups_;  // of a view
};

// Of one fact or of what it is about, or of all of them; asking is recorded in a view.
Digest digest_of(const figures::Facts& facts, const Dependency& asked);
// What `lookups` says was asked of the facts.
Dependencies reads_of(const figures::Facts& facts, const figures::FactLookups& lookups);

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
