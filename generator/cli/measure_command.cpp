#include "generator/cli/measure_command.hpp"

#include <filesystem>
#include <iostream>
#include <map>
#include <utility>

#include "generator/cli/console.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/cli/profile_command.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/process.hpp"

namespace primer {
namespace fs = std::filesystem;

int run(const MeasureCommand& command) {
  const fs::path node = find_program("node", command.book);
  if (node.empty())
    return failed({"measuring needs Node 18.19 or later, which is not on the PATH"});
  std::vector<std::string> all{"--book", command.book, "--browser", command.browser,
                               "--pace", command.pace, "--repeat",  std::to_string(command.repeat)};
  const std::pair<const char*, const std::string&> texts[] = {{"--out", command.out},
                                                              {"--name", command.name},
                                                              {"--note", command.note},
                                                              {"--modules", command.modules}};
  for (const auto& [name, value] : texts)
    if (!value.empty()) all.push_back(std::string(name) + '=' + value);
  for (const auto& pattern : command.only) all.push_back("--only=" + pattern);
  const std::pair<const char*, bool> flags[] = {{"--cores", command.cores},
                                                {"--spread", command.spread},
                                                {"--trust", command.trust},
                                                {"--no-sandbox", command.no_sandbox}};
  for (const auto& [name, given] : flags)
    if (given) all.emplace_back(name);
  return run_script(node, "measure.mjs", std::move(all));
}

namespace {

// The changed files of the book. Empty after diagnostics.
std::map<std::string, std::string> with_reference(const UseProfileCommand& command,
                                                  Diagnostics& diagnostics) {
  const auto files = disk(command.book);
  const auto book = load_book(*files, diagnostics);
  if (!book || diagnostics.has_errors()) return {};
  const auto text = valid_profile_text(command.profile, command.book, diagnostics);
  if (!text) return {};
  std::string name = book->reference;
  std::map<std::string, std::string> changed;
  if (name.empty()) {
    name = fs::path(command.profile).stem().string();
    if (!is_identifier(name)) name = "this-machine";
    std::string list = files->read(book_file).value_or("");
    if (!list.ends_with('\n')) list += '\n';
    changed[book_file] = list + "reference: " + name + '\n';
  }
  changed[profile_path(name)] = *text;
  return changed;
}

}  // namespace

int run(const UseProfileCommand& command) {
  Sandbox sandbox = reading({command.book, command.profile});
  sandbox.write = {command.book};  // figures/ may not exist yet
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const auto changed = with_reference(command, diagnostics);
  if (!diagnostics.has_errors()) write_and_name(command.book, changed, diagnostics);
  if (!diagnostics.has_errors())
    std::cout << "to update the numbers in the text: primer check --fix\n";
  return report(diagnostics, {command.book, {}, "text"});
}

}  // namespace primer
