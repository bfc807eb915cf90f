#include "generator/build/build.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "generator/base/pack.hpp"
#include "generator/base/tasks.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/host/maths.hpp"
#include "generator/host/threads.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t root_count = 6;

// Everything that a build reads from.
struct Roots {
  // The last four may be null.
  std::unique_ptr<FileSystem> book, site, modules, fonts, small, search;

  // With a record of its own, but what `known` have read by its digest.
  explicit Roots(const Roots& known)
      : book(watched(*known.book)),
        site(watched(*known.site)),
        modules(known.modules ? watched(*known.modules) : nullptr),
        fonts(known.fonts ? watched(*known.fonts) : nullptr),
        small(known.small ? watched(*known.small) : nullptr),
        search(known.search ? watched(*known.search) : nullptr) {}

  explicit Roots(const BuildOptions& options)
      : book(disk(options.book)),
        site(disk(options.assets)),
        modules(options.modules.empty() ? nullptr : disk(options.modules)),
        fonts(options.fonts.empty() ? nullptr : disk(options.fonts)),
        small(options.small.empty() ? nullptr : disk(options.small)),
        search(options.search.empty() ? nullptr : disk(options.search)) {}

  std::array<const FileSystem*, root_count> all() const {
    return {book.get(), site.get(), modules.get(), fonts.get(), small.get(), search.get()};
  }
};

struct BuildRecord {
  std::optional<std::string> head;      // that the dates are from; nothing where there are none
  std::array<Reads, root_count> reads;  // in the order of Roots::all()
  std::vector<WrittenTree> trees;       // the site's first
  Reads made_of;                        // files of the site that were not made anew each time, and what of

  std::string packed(const Digest& settings) const {
    Packer packer;
    packer.add(settings);
    packer.add(std::uint64_t{head.has_value()});
    packer.add(head.value_or(""));
    for (const auto& one : reads) packer.add(one);
    packer.add(std::uint64_t{trees.size()});
    for (const auto& tree : trees) {
      packer.add(tree.name);
      packer.add(tree.files);
      packer.add(tree.stamp);
    }
    packer.add(made_of);
    return std::move(packer.bytes);
  }

  // Nothing when it is of a build with other settings.
  static std::optional<BuildRecord> unpacked(std::string_view bytes, const Digest& settings) {
    Unpacker unpacker(bytes);
    Digest its_settings;
    unpacker.take(its_settings);
    if (its_settings != settings) return std::nullopt;
    BuildRecord record;
    std::uint64_t dated = 0;
    unpacker.take(dated);
    unpacker.take(record.head.emplace());
    if (dated == 0) record.head.reset();
    for (auto& one : record.reads) unpacker.take(one);
    unpacker.take_each([&] {
      WrittenTree& tree = record.trees.emplace_back();
      unpacker.take(tree.name);
      unpacker.take(tree.files);
      unpacker.take(tree.stamp);
    });
    unpacker.take(record.made_of);
    if (!unpacker.whole() || record.trees.empty()) return std::nullopt;
    return record;
  }
};

// Whose dates the site has.
figures::Result<Checkout> checkout_of(const BuildOptions& options) {
  if (!options.trusted) return figures::Error{"the book's own .git is not read without --trust"};
  const auto repository = find_repository(options.book);
  if (!repository) return repository.error();
  return find_checkout(*repository);
}

// For the record of a build: another text, other dates.
std::string name_of(const figures::Result<Checkout>& checkout) {
  return checkout ? checkout->commit : checkout.error().message;
}

std::string no_dates(const std::string& why) {
  return "no dates, feeds, e-book or list of changes: " + why;
}

Maths::Options maths_options(const BuildOptions& options) {
  Maths::Options maths;
  maths.node = options.node;
  return maths;
}

std::string absolute(const std::string& path) {
  return path.empty() ? "" : fs::absolute(path).lexically_normal().string();
}

// What decides about a build besides the files that it reads.
Digest settings_of(const BuildOptions& options, const Maths& maths) {
  Packer packer;
  packer.add(program_identity());
  for (const auto* path : {&options.book, &options.assets, &options.modules, &options.fonts,
                           &options.small, &options.search}) {
    packer.add(absolute(*path));
  }
  packer.add(maths.version());
  packer.add(options.site.base_url);
  packer.add(options.site.repository);
  packer.add(std::uint64_t{options.site.unmeasured});
  packer.add(std::uint64_t{options.site.renditions});
  packer.add(std::uint64_t{options.site.review});
  return digest(packer.bytes);
}

// Every directory with what was read below it.
WatchedReads watched_reads(const BuildOptions& options, const std::array<Reads, root_count>& reads) {
  return {{options.book, reads[0]},
          {options.assets, reads[1]},
          {options.modules, reads[2]},
          {options.fonts, reads[3]},
          {options.small, reads[4]},
          {options.search, reads[5]}};
}

std::array<Reads, root_count> reads_of(const Roots& roots) {
  std::array<Reads, root_count> reads;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (roots.all()[i]) reads[i] = roots.all()[i]->reads();
  }
  return reads;
}

bool all_true(const Roots& roots, const BuildRecord& record, const Tasks& tasks) {
  std::vector<std::pair<const FileSystem*, const Reads::value_type*>> questions;
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

// `history` is called once, for a site with dates.
SiteInputs site_inputs(const Roots& roots, Maths& maths, Cache& cache, const Tasks& tasks,
                       std::function<History()> history) {
  SiteInputs inputs;
  inputs.book = roots.book.get();
  inputs.assets = {roots.site.get(), roots.fonts.get(), roots.small.get(), roots.modules.get(),
                   nullptr, roots.search.get()};
  inputs.typeset = [&](const std::vector<Formula>& formulas) { return maths.render(formulas); };
  inputs.typesetter = maths.version();
  inputs.expect_formulas = [&] { maths.expect(); };
  inputs.cache = &cache;
  inputs.tasks = &tasks;
  inputs.program = program_identity();
  inputs.history = std::move(history);
  return inputs;
}

// Beside the site a build may write in any case.
Git git_of(const BuildOptions& options) {
  return {options.git, fs::path(absolute(options.out)).parent_path(), options.own};
}

}  // namespace

SiteFiles make_site(const BuildOptions& options, Cache& cache, Diagnostics& diagnostics,
                    BuildReport* report) {
  const Roots roots(options);
  const Threads tasks(options.threads);
  Maths maths(options.home, cache, maths_options(options));
  const auto no_history = [] { return History(); };
  return make_site(site_inputs(roots, maths, cache, tasks, no_history), options.site, diagnostics, report);
}

std::optional<Written> build_site(const BuildOptions& options, DiskCache& cache,
                                  Diagnostics& diagnostics, BuildReport& report) {
  StageClock clock(report);
  const Threads tasks(options.threads);
  const std::string key = "build of " + absolute(options.out);
  Maths maths(options.home, cache, maths_options(options));
  const Digest settings = settings_of(options, maths);
  const auto last = cache.find(Cache::Kind::build, key);
  auto record = last ? BuildRecord::unpacked(*last, settings) : std::nullopt;
  const auto checkout = checkout_of(options);
  const Roots on_disk(options);
  if (record) {
    report.unchanged = all_true(on_disk, *record, tasks) &&
                       is_as_written(options.out, record->trees.front(), tasks) &&
                       (!record->head || name_of(checkout) == *record->head);
    clock.finished("compare with the last build");
    if (report.unchanged) {
      report.reads = watched_reads(options, record->reads);
      if (record->head && !checkout) report.notices.push_back(no_dates(checkout.error().message));
      return Written{record->trees.front().files.size(), 0};
    }
  }

  if (const auto fit = check_output(options.out, options.book); !fit) {
    diagnostics.error(Rule::output_error, "", fit.error().message);
    return std::nullopt;
  }
  const Roots roots(on_disk);
  const Reads made_before = record ? std::move(record->made_of) : Reads();
  SiteWriter writer(options.out, record ? std::move(record->trees) : std::vector<WrittenTree>(),
                    tasks, options.seal, options.book, options.note);
  // Meanwhile there is work for one processor at first.
  const auto looked = (record ? static_cast<const Tasks&>(tasks) : sequential).start([&] {
    writer.look();
    return true;
  });
  Reads made_of;
  std::mutex mutex;  // of made_of
  SiteSink sink;
  sink.add = [&](const std::string& path, const std::string& bytes) { writer.add(path, bytes); };
  sink.keep = [&](const std::string& path, const Digest& parts) {
    {
      const std::lock_guard lock(mutex);
      made_of.emplace(path, parts);
    }
    const auto before = made_before.find(path);
    return before != made_before.end() && before->second == parts && writer.keep(path);
  };
  std::optional<std::string> head;
  const auto history = [&] {
    head = name_of(checkout);
    if (checkout) {
      auto dates = read_history(*checkout, git_of(options), &cache);
      if (dates) return std::move(*dates);
      head = "not read";  // and tried again by the next build
      report.notices.push_back(no_dates(dates.error().message));
    } else {
      report.notices.push_back(no_dates(checkout.error().message));
    }
    return History();
  };
  SiteInputs inputs = site_inputs(roots, maths, cache, tasks, history);
  inputs.tracked = [&] {
    return checkout ? tracked_files(*checkout, git_of(options)) : std::optional<TrackedFiles>();
  };
  make_site(inputs, options.site, sink, diagnostics, &report);
  const auto reads = reads_of(roots);
  report.reads = watched_reads(options, reads);
  if (diagnostics.has_errors()) return std::nullopt;
  clock.finished({});
  report.stages.pop_back();
  auto written = writer.finish();
  if (!written) {
    diagnostics.error(Rule::output_error, "", written.error().message);
    return std::nullopt;
  }
  clock.finished("publish");
  const BuildRecord made{std::move(head), reads, writer.trees(),
                         std::move(made_of)};
  cache.store(Cache::Kind::build, key, made.packed(settings));
  cache.flush();
  clock.finished("keep");
  return std::move(*written);
}

}  // namespace primer
