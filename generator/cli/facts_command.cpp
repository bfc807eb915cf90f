#include "generator/cli/facts_command.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <utility>

#include "generator/cli/book_check.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/load/references.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/tools/facts/fact_diff.hpp"
#include "generator/tools/facts/fact_edit.hpp"

namespace primer {
namespace {
// The options of a site that is made only to compare its pages: without modules and fonts.
BuildOptions options_for_facts(const SiteCommand& command) {
  auto options = dated_build_options(command);
  for (auto* part :
       {&options.modules, &options.fonts, &options.minified, &options.search, &options.workshop})
    part->clear();
  return options;
}

void print_changes(const EditedFacts& edited) {
  for (const auto& [id, before, after] : edited.changes)
    std::cout << visible(id) << ": " << visible(before) << " -> " << visible(after) << '\n';
}

// The fact files of a commit, as replacements of those on disk: a file that the commit lacks is an
// empty object.
std::map<std::string, std::string> facts_at(std::map<std::string, std::string> committed,
                                            const FileSystem& book) {
  for (const auto& path : book.list("chapters/facts"))
    if (path.ends_with(".json")) committed.try_emplace(path, "{}\n");
  return committed;
}

// A site of the book with these files in place of its own, with the numbers in the text corrected.
// Reports what cannot be corrected.
bool make_corrected(BookCheck& check, const Reporting& reporting) {
  check.run();
  check.fix();
  if (!check.diagnostics.has_errors()) return true;
  report(check.diagnostics, reporting);
  return false;
}

}  // namespace

int run(const SetFactCommand& command) {
  const auto options = options_for_facts(command);
  const auto kept = find_user_directories(command.book).cache_of(command.book);
  auto sandbox = site_sandbox(options, places_to_write(command.book));
  sandbox.read.push_back(kept);
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto book = disk(command.book);
  Diagnostics diagnostics;
  const auto edited = edit_fact(
      *book, {command.id, command.value, command.sources, command.note, command.read}, diagnostics);
  if (!edited) return report(diagnostics, command.reporting());
  print_changes(*edited);
  const auto cache = open_cache(kept, program_identity(), DiskCache::Use::read);
  BookCheck check(options, *cache, {}, edited->files);
  check.run();
  check.fix();
  write_and_name(command.book, check.changed(), check.diagnostics);
  return report(check.diagnostics, command.reporting());
}

int run(const DiffFactsCommand& command) {
  const auto options = options_for_facts(command);
  if (!options.trusted)
    return failed({"comparing with a commit reads the book's .git; pass --trust to allow it"});
  auto prepared = options;
  const auto user = prepare(prepared);
  auto sandbox = site_sandbox(prepared, {user.cache});
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto repository = find_repository(command.book);
  if (!repository) return failed(repository.error());
  const auto committed = committed_files(*repository, {prepared.git, user.cache, prepared.own},
                                         command.revision, facts_directory);
  if (!committed) return failed(committed.error());
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  BookCheck before(prepared, *cache, {}, facts_at(*committed, *disk(command.book)));
  BookCheck after(prepared, *cache);
  if (!make_corrected(before, command.reporting()) || !make_corrected(after, command.reporting()))
    return 1;
  std::cout << to_text(fact_effects(before.site, after.site));
  return 0;
}

}  // namespace primer
