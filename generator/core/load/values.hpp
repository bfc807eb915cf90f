// Loads everything that a number in a chapter may come from: facts, kernels, and the profile of the
// reference machine.
//
//   facts/*.json --> facts      --+
//   kernels      --> catalogue  --+--> Values --> watched(): a page's view --> reads(): its record
//   profile      --> reference  --+
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "figures/quantities/notation.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/book_kernels.hpp"
#include "generator/core/load/references.hpp"

namespace primer {

// A profile that book.yaml names. Copies share the content.
class ReferenceProfile {
 public:
  ReferenceProfile() = default;  // nothing measured, or an unmeasured build
  ReferenceProfile(std::string file, std::string text, figures::Profile profile);

  const figures::Profile* get() const;  // null: none
  explicit operator bool() const { return get() != nullptr; }
  const figures::Profile& operator*() const { return *get(); }
  const figures::Profile* operator->() const { return get(); }
  const std::string& text() const { return content_->text; }  // the file, as published
  Digest version() const { return content_->version; }        // digest of the text; absent: none

  // A view for one thread that records whether the profile was used.
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
  std::shared_ptr<const BookKernels> kernels = BookKernels::built_in();
  ReferenceProfile reference;
  // The profile of another machine if the reference has no GPU. GPU measurements show it next to
  // the reader's.
  ReferenceProfile reference_gpu;
  // Builds even if the reference profile is missing or incomplete, and does not check measured
  // numbers. Needed to record the very first profile.
  bool unmeasured = false;
  std::string latest = {};  // last day on which something can have been measured

  figures::Sources facts_only() const { return {&facts, &catalogue, kernels.get(), nullptr}; }
  figures::Sources with_reference() const {
    return {&facts, &catalogue, kernels.get(), reference.get()};
  }
  figures::Sources with_reference_gpu() const {
    return {&facts, &catalogue, kernels.get(), reference_gpu.get()};
  }

  // A view for one thread that records every lookup of a fact, of its subject, and of a profile,
  // with a digest. *this must outlive the view.
  Values watched() const;
  Dependencies reads() const;

 private:
  std::shared_ptr<figures::FactLookups> lookups_;  // only in a view
};

// The digest of a fact or its subject, or of all of them. In a view, the request is recorded.
Digest digest_of(const figures::Facts& facts, const Dependency& asked);
// What `lookups` recorded, with digests.
Dependencies reads_of(const figures::Facts& facts, const figures::FactLookups& lookups);

// The files with facts, below facts_directory.
inline constexpr std::string_view fact_files[] = {"assumptions.json", "chips.json", "claims.json",
                                                  "energy.json",      "links.json", "models.json",
                                                  "races.json",       "runs.json"};

// Loads all facts and reports broken ones.
void load_facts(const FileSystem& files, figures::Facts& facts, Diagnostics& diagnostics,
                Cache* cache = nullptr);

// Reports sources of facts that are not references, or that nobody has compared, at their places.
void check_sources(const FileSystem& files, const figures::Facts& facts, const References& library,
                   Diagnostics& diagnostics);

// Reports dates of claims and references that do not exist, or that are after the book's own date
// or after dates that they depend on.
void check_dates(const FileSystem& files, const figures::Facts& facts, const References& library,
                 const Book& book, Diagnostics& diagnostics);

// Reports broken facts and, unless `unmeasured`, a reference profile that is named but missing.
std::unique_ptr<const Values> load_values(const FileSystem& files, const Book& book,
                                          bool unmeasured, Diagnostics& diagnostics,
                                          Cache* cache = nullptr, const Tasks& tasks = sequential);

}  // namespace primer
