#include "generator/host/browser/book_call.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/pipeline/site.hpp"
#include "generator/host/browser/page_calls.hpp"
#include "generator/tools/skeleton/skeleton.hpp"
#include "generator/tools/workshop/book_pack.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

struct Command {
  std::string name;
  Format format = Format::text;
  SiteOptions site;
  bool counts = false;
  std::string slug, directory, title, language;
};

struct Printed {
  int status = 0;
  std::string out = {}, err = {};
  Files files = {};
};

Printed failed(const std::string& why) { return {1, "", "primer: error: " + visible(why) + '\n'}; }

// What the worker provides: the book and the files that belong to the program.
struct Disk {
  WorkerFiles book{"book"}, site{"site"}, modules{"modules"}, fonts{"fonts"}, minified{"minified"};
};

// The site's address with a slash at its end, or "" if it is unknown.
std::string base_url_of(const SiteOptions& options, const FileSystem& files) {
  if (options.base_url == no_base_url) return {};
  Diagnostics ignored;
  const auto book = load_book(files, ignored);
  const std::string url = !options.base_url.empty() || !book ? options.base_url : book->base_url;
  return url.empty() || url.ends_with('/') ? url : url + '/';
}

void report(const Diagnostics& diagnostics, const Command& command, const FileSystem& book,
            Printed& printed) {
  if (diagnostics.has_errors()) printed.status = 1;
  if (diagnostics.empty() && command.format != Format::json) return;
  (command.format == Format::text ? printed.err : printed.out) +=
      to_text(diagnostics, command.format, base_url_of(command.site, book));
}

// What is wrong with the addresses among the options, or "".
std::string fault_of(const SiteOptions& options) {
  const auto fault = [](const char* name, const std::string& url) {
    const auto found = url.empty() ? std::nullopt : site_address_fault(url);
    return found ? std::string(name) + ": " + found->message + "; " + found->hint : "";
  };
  const bool has_none = options.base_url == no_base_url;
  const std::string first = has_none ? "" : fault("--base-url", options.base_url);
  return first.empty() ? fault("--repository", options.repository) : first;
}

SiteInputs inputs_of(const Disk& disk, const Typesetting& maths,
                     const Typesetting::Convert& convert, Cache& cache) {
  SiteInputs inputs;
  inputs.book = &disk.book;
  inputs.assets = {&disk.site, &disk.fonts, &disk.minified, &disk.modules};
  inputs.typeset = [&](const auto& formulas) { return maths.render(formulas, convert); };
  inputs.typesetter = maths.version();
  inputs.cache = &cache;
  return inputs;
}

Printed check(const Command& command, const Disk& disk, const SiteInputs& inputs) {
  const WorkerFiles files{"book"};  // not recorded as read by a page
  for (const auto& file : command.site.first)
    if (!files.read(file)) return failed("the book has no file " + in_quotes(file));
  std::size_t pages = 0;
  const SiteSink sink{
      [&](const auto& path, const auto&) { pages += path.ends_with("index.html") ? 1 : 0; }};
  Diagnostics diagnostics;
  BuildReport made;
  make_site(inputs, command.site, sink, diagnostics, &made);
  std::vector<std::string> unchecked;
  if (!command.site.first.empty()) {
    const auto reads = disk.book.reads();
    Looked looked{{}, [&](const auto& file) { return reads.contains(Dependency::file(file)); }};
    for (const auto& page : made.pages) looked.pages.insert(page.file);
    unchecked = narrow(command.site.first, looked, diagnostics);
  }
  Printed printed;
  if (command.counts) {
    printed = {diagnostics.has_errors() ? 1 : 0, to_counts(diagnostics)};
  } else {
    if (!diagnostics.has_errors() && unchecked.empty() && command.format == Format::text)
      printed.out = checked(pages, disk.book, command.site.prose);
    report(diagnostics, command, disk.book, printed);
  }
  for (const auto& one : unchecked) {
    printed.status = 1;
    printed.err += failed(one).err;
  }
  return printed;
}

Printed build(Command command, const Disk& disk, SiteInputs inputs) {
  Printed printed;
  inputs.history = [&] {
    printed.err +=
        "primer: note: no dates, feeds, e-book or list of changes: this program cannot read .git\n";
    return History();
  };
  Diagnostics diagnostics;
  make_site(inputs, command.site, {add_worker_file}, diagnostics);
  report(diagnostics, command, disk.book, printed);
  return printed;
}

Printed begun(const Command& command, const Disk& disk) {
  Diagnostics diagnostics;
  const auto title = command.title.empty() ? title_of_slug(command.directory) : command.title;
  const auto files = command.name == "new book"
                         ? new_book(disk.site, title, command.language, diagnostics)
                         : new_chapter(disk.book, command.slug, diagnostics);
  Printed printed;
  report(diagnostics, command, disk.book, printed);
  if (files) printed.files = *files;
  return printed;
}

Command command_of(const Json& asked) {
  Command command;
  command.name = asked.at("command").get<std::string>();
  const std::string format = asked.value("format", "text");
  if (format != "text") command.format = format == "json" ? Format::json : Format::github;
  SiteOptions& site = command.site;
  site.base_url = asked.value("base_url", "");
  site.repository = asked.value("repository", "");
  site.unmeasured = asked.value("unmeasured", false);
  site.prose = asked.value("prose", false);
  if (asked.value("drafts", false)) site.drafts = Drafts::shown;
  site.first = asked.value("files", std::set<std::string>());
  command.counts = asked.value("counts", false);
  command.slug = asked.value("slug", "");
  command.directory = asked.value("name", "");
  command.title = asked.value("title", "");
  command.language = asked.value("language", "en");
  return command;
}

Printed done(const Command& command, const Typesetting::Convert& convert, Cache& cache) {
  if (command.name == "version") return {0, "primer " PRIMER_VERSION "\n"};
  if (const auto fault = fault_of(command.site); !fault.empty()) return failed(fault);
  const Disk disk;
  if (command.name.starts_with("new ")) return begun(command, disk);
  const Typesetting maths("", disk.site.read(repertoire_file).value_or(""), cache, {});
  const SiteInputs inputs = inputs_of(disk, maths, convert, cache);
  return command.name == "check" ? check(command, disk, inputs) : build(command, disk, inputs);
}

}  // namespace

std::optional<std::string> BookCall::answer(std::string_view request) {
  const auto asked = Json::parse(request.substr(0, request.find('\0')), nullptr, false);
  if (!asked.is_object() || !asked.contains("command")) return std::nullopt;
  const Printed printed = done(command_of(asked), convert_, cache_);
  const Json answer = {{"status", printed.status},
                       {"out", printed.out},
                       {"err", printed.err},
                       {"files", printed.files}};
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace primer
