#include "generator/host/build/build.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "generator/core/base/pack.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/host/maths.hpp"
#include "generator/host/threads.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t root_count = 8;

// All directories that a build reads from.
struct Roots {
  // May be null, except for book and site.
  std::unique_ptr<FileSystem> book, site, modules, fonts, minified, search, workshop, own_site;
  std::unique_ptr<FileSystem> both_sites;  // set if the book has its own site/

  // Starts its own record of reads, but reuses the digests that `known` has computed.
  explicit Roots(const Roots& known)
      : book(watched(*known.book)),
        site(watched(*known.site)),
        modules(known.modules ? watched(*known.modules) : nullptr),
        fonts(known.fonts ? watched(*known.fonts) : nullptr),
        minified(known.minified ? watched(*known.minified) : nullptr),
        search(known.search ? watched(*known.search) : nullptr),
        workshop(known.workshop ? watched(*known.workshop) : nullptr),
        own_site(known.own_site ? watched(*known.own_site) : nullptr),
        both_sites(own_site ? layered(*own_site, *site) : nullptr) {}

  explicit Roots(const BuildOptions& options)
      : book(options.unsaved ? watched(*options.unsaved) : disk(options.book)),
        site(disk(options.assets)),
        modules(options.modules.empty() ? nullptr : disk(options.modules)),
        fonts(options.fonts.empty() ? nullptr : disk(options.fonts)),
        minified(options.minified.empty() ? nullptr : disk(options.minified)),
        search(options.search.empty() ? nullptr : disk(options.search)),
        workshop(options.workshop.empty() ? nullptr : disk(options.workshop)),
        own_site(options.own_site.empty() ? nullptr : disk(options.own_site)),
        both_sites(own_site ? layered(*own_site, *site) : nullptr) {}

  std::array<const FileSystem*, root_count> all() const {
    return {book.get(),     site.get(),   modules.get(),  fonts.get(),
            minified.get(), search.get(), workshop.get(), own_site.get()};
  }
  const FileSystem* assets() const { return both_sites ? both_sites.get() : site.get(); }
};

}  // namespace

auto packed_members(Is<WrittenTree> auto& tree) {
  auto& [name, files, stamp] = tree;
  return std::tie(name, files, stamp);
}

namespace {
using MadeFiles = std::map<std::string, Digest>;  // path in the site → digest of its inputs

struct BuildRecord {
  Digest settings;                  // of the build; if they differ, only `trees` is useful
  std::optional<std::string> head;  // commit of the dates; no value if the site has none
  std::vector<Dependencies> reads;  // in the order of Roots::all()
  std::vector<WrittenTree> trees;   // the site's tree first
  MadeFiles made_files;             // lazily made files of the site
};

auto members_of(auto& record) {
  auto& [settings, head, reads, trees, made_files] = record;
  return std::tie(settings, head, reads, trees, made_files);
}

// The record of the last build; an empty one if there is none or it is damaged.
BuildRecord last_record(const Cache& cache, const std::string& key) {
  BuildRecord record;
  auto members = members_of(record);
  const auto bytes = cache.find(Cache::Kind::build, key);
  const bool is_whole = bytes && unpack(*bytes, members) && record.reads.size() == root_count &&
                        !record.trees.empty();
  return is_whole ? std::move(record) : BuildRecord();
}

Maths::Options maths_options(const BuildOptions& options) {
  Maths::Options maths;
  maths.node = options.node;
  return maths;
}

std::string absolute(const std::string& path) {
  return path.empty() ? "" : fs::absolute(path).lexically_normal().string();
}

// Digest of everything a build depends on besides the files that it reads.
Digest settings_of(const BuildOptions& options, const Maths& maths) {
  std::vector<std::string> paths;
  for (const auto* path :
       {&options.book, &options.assets, &options.modules, &options.fonts, &options.minified,
        &options.search, &options.workshop, &options.own_site}) {
    paths.push_back(absolute(*path));
  }
  const SiteOptions& site = options.site;
  return digest(pack(program_identity(), paths, maths.version(), site.base_url, site.repository,
                     site.unmeasured, site.renditions, site.flat, site.review, site.drafts,
                     site.unbuilt));
}

// What was read, by directory.
WatchedDependencies watched_reads(const BuildOptions& options,
                                  const std::vector<Dependencies>& reads) {
  return {{options.book, reads[0]},     {options.assets, reads[1]},   {options.modules, reads[2]},
          {options.fonts, reads[3]},    {options.minified, reads[4]}, {options.search, reads[5]},
          {options.workshop, reads[6]}, {options.own_site, reads[7]}};
}

std::vector<Dependencies> reads_of(const Roots& roots) {
  std::vector<Dependencies> reads;
  for (const FileSystem* root : roots.all()) reads.push_back(root ? root->reads() : Dependencies());
  return reads;
}

bool all_true(const Roots& roots, const BuildRecord& record, const Tasks& tasks) {
  std::vector<std::pair<const FileSystem*, const Dependencies::value_type*>> questions;
  for (std::size_t i = 0; i < record.reads.size(); ++i) {
    if (!roots.all()[i] && !record.reads[i].empty()) return false;
    for (const auto& read : record.reads[i]) questions.emplace_back(roots.all()[i], &read);
  }
  std::atomic<bool> all_so = true;
  tasks.each(questions.size(), [&](std::size_t i) {
    const auto& [files, read] = questions[i];
    if (all_so && files->digest_of(read->first) != read->second) all_so = false;
  });
  return all_so;
}

// The inputs without history.
SiteInputs site_inputs(const Roots& roots, Maths& maths, Cache& cache, const Tasks& tasks) {
  SiteInputs inputs;
  inputs.book = roots.book.get();
  inputs.assets = {roots.assets(),      roots.fonts.get(), roots.minified.get(),
                   roots.modules.get(), nullptr,           roots.search.get()};
  inputs.assets.workshop = roots.workshop.get();
  inputs.typeset = [&](const std::vector<Formula>& formulas) { return maths.render(formulas); };
  inputs.typesetter = maths.version();
  inputs.expect_formulas = [&] { maths.expect(); };
  inputs.cache = &cache;
  inputs.tasks = &tasks;
  inputs.program = program_identity();
  return inputs;
}

std::string no_dates(const std::string& why) {
  return "no dates, feeds, e-book or list of changes: " + why;
}

// What a build knows from git.
class Dates {
 public:
  // git may write next to the site, as a build does anyway.
  explicit Dates(const BuildOptions& options)
      : git_{options.git, fs::path(absolute(options.out)).parent_path(), options.own},
        checkout_(checkout_of(options)) {}

  // Identifies the dates in the record of a build. No value if the site has none.
  const std::optional<std::string>& head() const { return head_; }
  // Whether a site with the dates of `head` is up to date.
  bool are_those_of(const std::optional<std::string>& head) const {
    return !head || name() == *head;
  }
  // Why there are no dates, as a sentence. Empty if there are.
  std::string why_none() const { return checkout_ ? "" : no_dates(checkout_.error().message); }

  History read(Cache& cache, BuildReport& report) {
    head_ = name();
    if (!checkout_) {
      report.notices.push_back(why_none());
      return {};
    }
    auto dates = read_history(*checkout_, git_, &cache);
    if (dates) return std::move(*dates);
    head_ = "not read";  // makes the next build try again
    report.notices.push_back(no_dates(dates.error().message));
    return {};
  }

  std::optional<TrackedFiles> tracked() const {
    return checkout_ ? tracked_files(*checkout_, git_) : std::optional<TrackedFiles>();
  }

 private:
  static figures::Result<Checkout> checkout_of(const BuildOptions& options) {
    if (!options.trusted)
      return figures::Error{"ignoring the book's .git; pass --trust to read it"};
    const auto repository = find_repository(options.book);
    if (!repository) return repository.error();
    return find_checkout(*repository);
  }

  std::string name() const { return checkout_ ? checkout_->commit : checkout_.error().message; }

  Git git_;
  figures::Result<Checkout> checkout_;
  std::optional<std::string> head_;
};

// Passes files to the writer and records what they are made from.
class Recorder {
 public:
  Recorder(SiteWriter& writer, MadeFiles digests_before)
      : writer_(writer), digests_before_(std::move(digests_before)) {}

  SiteSink sink() {
    SiteSink sink;
    sink.add = [this](const std::string& path, const std::string& bytes) {
      writer_.add(path, bytes);
    };
    sink.keep = [this](const std::string& path, const Digest& parts) { return keep(path, parts); };
    return sink;
  }
  const MadeFiles& made_files() const { return made_files_; }

 private:
  bool keep(const std::string& path, const Digest& parts) {
    {
      const std::lock_guard lock(mutex_);
      made_files_.emplace(path, parts);
    }
    const auto before = digests_before_.find(path);
    return before != digests_before_.end() && before->second == parts && writer_.keep(path);
  }

  SiteWriter& writer_;
  const MadeFiles digests_before_;
  std::mutex mutex_;  // protects made_files_
  MadeFiles made_files_;
};

// Whether everything is as the last build left it.
bool is_unchanged(const BuildOptions& options, const BuildRecord& record, const Roots& on_disk,
                  const Dates& dates, const Tasks& tasks) {
  return all_true(on_disk, record, tasks) &&
         is_as_written(options.out, record.trees.front(), tasks) && dates.are_those_of(record.head);
}

// Runs the stages and records what they read in the report. False after errors.
bool run_stages(SiteInputs inputs, const BuildOptions& options, const Roots& roots, Dates& dates,
                const SiteSink& sink, Diagnostics& diagnostics, BuildReport& report) {
  inputs.history = [&, cache = inputs.cache] { return dates.read(*cache, report); };
  inputs.tracked = [&] { return dates.tracked(); };
  make_site(inputs, options.site, sink, diagnostics, &report);
  report.reads = watched_reads(options, reads_of(roots));
  return !diagnostics.has_errors();
}

}  // namespace

SiteFiles make_site(const BuildOptions& options, Cache& cache, Diagnostics& diagnostics,
                    BuildReport* report) {
  const Roots roots(options);
  const Threads tasks(options.threads);
  Maths maths(options.home, cache, maths_options(options));
  auto site = make_site(site_inputs(roots, maths, cache, tasks), options.site, diagnostics, report);
  if (report) report->reads = watched_reads(options, reads_of(roots));
  return site;
}

Made<BookPack> pack_book(const BuildOptions& options, Cache& cache) {
  const Roots roots(options);
  const Threads tasks(options.threads);
  Maths maths(options.home, cache, maths_options(options));
  return pack_book(site_inputs(roots, maths, cache, tasks), options.site);
}

std::optional<Written> build_site(const BuildOptions& options, DiskCache& cache,
                                  Diagnostics& diagnostics, BuildReport& report) {
  StageClock clock(report);
  const Threads tasks(options.threads);
  const std::string key = "build of " + absolute(options.out);
  Maths maths(options.home, cache, maths_options(options));
  const Digest settings = settings_of(options, maths);
  BuildRecord record = last_record(cache, key);
  const bool is_first = record.trees.empty() || record.settings != settings;
  if (is_first) record = {settings, {}, {}, std::move(record.trees), {}};
  Dates dates(options);
  const Roots on_disk(options);
  if (!is_first && !options.strict) {
    report.unchanged = is_unchanged(options, record, on_disk, dates, tasks);
    clock.finished("compare with the last build");
  }
  if (report.unchanged) {
    report.reads = watched_reads(options, record.reads);
    if (record.head && !dates.why_none().empty()) report.notices.push_back(dates.why_none());
    return Written{record.trees.front().files.size(), 0};
  }

  if (const auto fit = check_output(options.out, options.book); !fit) {
    diagnostics.error(Rule::output_error, "", fit.error().message);
    return std::nullopt;
  }
  const Roots roots(on_disk);
  SiteWriter writer(options.out, std::move(record.trees), tasks, options.book, options.note);
  // The stages begin with work for one processor, so this can run in parallel.
  const auto looked = (is_first ? sequential : static_cast<const Tasks&>(tasks)).start([&] {
    writer.look();
    return true;
  });
  Recorder recorder(writer, std::move(record.made_files));
  const SiteInputs inputs = site_inputs(roots, maths, cache, tasks);
  if (!run_stages(inputs, options, roots, dates, recorder.sink(), diagnostics, report))
    return std::nullopt;
  clock.skip();
  auto written = writer.finish();
  if (!written) {
    diagnostics.error(Rule::output_error, "", written.error().message);
    return std::nullopt;
  }
  clock.finished("publish");
  const BuildRecord made{settings, dates.head(), reads_of(roots), writer.trees(),
                         recorder.made_files()};
  cache.store(Cache::Kind::build, key, pack(members_of(made)));
  cache.flush();
  clock.finished("keep");
  return std::move(*written);
}

}  // namespace primer
