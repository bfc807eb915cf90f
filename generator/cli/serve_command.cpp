#include "generator/cli/serve_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "generator/cli/install_prefix.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/watch.hpp"
#include "generator/load/book.hpp"
#include "generator/serve/serve.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// Says what pages of this site can do, when that is another thing than before.
void tell(const BuildOptions& options, bool changed, Preview& preview) {
  const auto scripts = scripts_of(options.out);
  const bool was_unbuilt = preview.state().unbuilt,
             unbuilt = !options.modules.empty() && !scripts.has_modules;
  preview.built(changed, scripts.version, unbuilt);
  if (unbuilt && !was_unbuilt) {
    note(
        "the WebAssembly modules are not all built: pages cannot measure until scripts/build has made them");
  }
  if (was_unbuilt && !unbuilt)
    std::cout << "the WebAssembly modules are built: pages can measure" << std::endl;
}

// Builds whenever something was saved, for as long as the process lives.
void keep_built(const BuildOptions& options, DiskCache& cache, BuildReport report,
                Preview& preview) {
  std::string why_looking;
  for (;;) {
    Watch watch(std::move(report.reads));
    if (watch.why_looking() != why_looking) {
      why_looking = watch.why_looking();
      if (!why_looking.empty())
        note("a save is seen up to half a second late, because " + why_looking);
    }
    watch.wait();
    Diagnostics diagnostics;
    report = {};
    const auto written = build_site(options, cache, diagnostics, report);
    const std::string errors = to_text(diagnostics, Format::text);
    if (!written) {
      preview.failed(errors);
      std::cerr << errors;
    } else {
      tell(options, written->changed > 0, preview);
      std::cout << "built: " << written->changed << " files changed" << std::endl;
    }
  }
}

// Whether saving another text helps: the pages show the errors until then.
bool can_be_mended(const ServeCommand& command, const Diagnostics& diagnostics) {
  const auto all = diagnostics.sorted();
  return fs::exists(fs::path(command.book) / book_file) &&
         std::ranges::none_of(all, [](const auto& one) { return one.rule == Rule::output_error; });
}

}  // namespace

int run(const ServeCommand& command) {
  // Before the sandbox, in which no socket can be made.
  constexpr int ports = 10;
  const auto listener = Listener::on_this_machine(command.port, ports);
  if (!listener) return failed(listener.error());
  auto options = dated_build_options(command);
  // Pages of a published site register a worker, and take scripts from their public address alone.
  if (command.base_url.empty()) options.site.base_url = no_base_url;
  options.site.unbuilt = Unbuilt::do_without;
  const auto user = prepare(options);
  auto sandbox = site_sandbox(options, {place_of_site(command), user.cache});
  sandbox.read.push_back(program_home() / "build");  // where modules may be yet to come
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  Diagnostics diagnostics;
  BuildReport first;
  Preview preview;
  const auto written = build_site(options, *cache, diagnostics, first);
  print_notices(first, written);
  const int errors = report(diagnostics, command.reporting());
  if (errors && !can_be_mended(command, diagnostics)) return errors;
  if (fs::exists(command.out)) tell(options, false, preview);
  if (!written) preview.failed(to_text(diagnostics, Format::text));
  // Ends with the process: there is nothing to put away that a kill would leave in disorder.
  std::thread([&, first]() mutable {
    const int stopped = guarded([&] {
      keep_built(options, *cache, std::move(first), preview);
      return 0;
    });
    if (stopped) std::_Exit(stopped);
  }).detach();
  std::cout << listener->address() << std::endl;
  const auto served =
      serve(*listener, {command.out, (program_home() / "site/preview").string()}, preview);
  return served ? 0 : failed(served.error());
}

int run(const PreviewCommand& command) {
  if (!fs::exists(fs::path(command.directory) / "index.html")) {
    return failed({"there is no index.html in " + command.directory +
                   ": expected the directory of a built site, unpacked"});
  }
  const auto listener = Listener::on_this_machine(0, 1);
  if (!listener) return failed(listener.error());
  auto sandbox = reading({command.directory});
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  std::cout
      << "Somebody else's pages, with their scripts: open them in a private window, and close it after.\n"
      << listener->address() << std::endl;
  const auto served = serve_stranger(*listener, command.directory);
  return served ? 0 : failed(served.error());
}

}  // namespace primer
