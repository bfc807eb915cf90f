#include "small_book.hpp"

#include "generator/core/base/html.hpp"
#include "generator/host/threads.hpp"

namespace small_book {
namespace {

const char* const profile = R"({"schema": 1, "created": "2026-11-20", "name": "Test machine",
  "devices": [{"id": "cpu0", "kind": "cpu", "name": "Test core", "state": "hardware"}],
  "levels": [{"device": "cpu0", "name": "L1", "bytes": 49152, "latency_ns": 1.7, "read_gbs": 85},
             {"device": "cpu0", "name": "out", "bytes": 268435456, "latency_ns": 62,
              "read_gbs": 12.5}],
  "results": [],
  "roofs": [{"device": "cpu0", "class": {"isa": "fma", "threads": 1}, "unit": "GFLOP/s",
             "value": 45, "from": "peak.fma"},
            {"device": "cpu0", "class": {"level": "out", "threads": 1}, "unit": "GB/s",
             "value": 12.5, "from": "stream.read"}]})";

const char* const facts = R"({
  "h100-sxm": {"title": "NVIDIA H100 SXM", "vendor": "NVIDIA"},
  "h100-sxm.bandwidth": {"value": "3.35 TB/s", "sources": ["nv"], "read": "primary"},
  "h100-sxm.peak.bf16": {"value": "989 TFLOP/s", "sources": ["nv"], "read": "primary"}
})";

}  // namespace

Files with(const std::string& body) {
  return {
      {"chapters/book.yaml",
       "title: Small\nlanguage: en\nreference: test\n"
       "repository: https://example.org/small\n"
       "chapters:\n  - slug: first\n    number: 1\n  - slug: second\n"},
      {"chapters/en/01-first.md", "---\ntitle: First\n---\n" + body},
      {"chapters/en/second.md", "---\ntitle: Second\n---\n## Only section\n\nText.\n"},
      {"chapters/en/dot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"},
      {"chapters/facts/chips.json", facts},
      {"chapters/facts/references.json",
       R"({"nv": {"type": "report", "title": "Data sheet", "url": "https://example.org/nv",
           "year": 2023, "authors": ["NVIDIA"], "checked": true}})"},
      {"chapters/facts/glossary.json",
       R"({"hbm": {"term": "HBM", "definition": "Memory on the package."}})"},
      {"chapters/facts/claims.json",
       R"({"rubin": {"title": "Rubin"}, "rubin-bandwidth": {"value": "22 TB/s", "as_of": "2026-11",
           "status": "announced", "sources": ["nv"], "read": "quoted"}})"},
      {"figures/profiles/test.json", profile},
      {"figures/specs/round.json",
       R"({"kind": "roofline", "title": "Round numbers", "machines":
           [{"label": "M", "peak": "100 TFLOP/s", "bandwidth": "1 TB/s"}]})"},
      {"wasm_kernels/add.cpp", "int before;\n// region: body\nint a = 1;\n// end region: body\n"},
  };
}

Files site_files() {
  return {
      {"templates/page.mustache",
       "<title>{{title}}</title>"
       "{{#summary}}<p>{{summary}}</p>{{/summary}}"
       "{{#prerequisites}}{{{prerequisites}}}{{/prerequisites}}"
       "\n{{{body}}}"
       "{{#d2l}}{{{d2l}}}\n{{/d2l}}"},
      {"templates/404.mustache", "<a href=\"{{root}}\">home</a>"},
      {"styles/style.css", "p { margin: 0 }\n"},
      {"runtime/main.js", "export {};\n"},
  };
}

namespace {

primer::SiteFiles make(const Files& files, const primer::SiteOptions& options,
                       const primer::History& history, primer::Diagnostics& diagnostics,
                       const std::optional<primer::TrackedFiles>& tracked = {}, int threads = 1) {
  const auto book = primer::in_memory(files);
  Files site_texts = site_files();
  for (const auto& [path, text] : files) {
    if (path.starts_with("site/")) site_texts[path.substr(5)] = text;
  }
  const auto site = primer::in_memory(site_texts);
  const auto typeset = [](const std::vector<primer::Formula>& formulas) {
    std::vector<figures::Result<std::string>> all;
    for (const auto& formula : formulas) {
      if (formula.tex == "\\oops") {
        all.push_back(figures::Error{"unknown command \\oops", 0, 5});
      } else {
        all.push_back((formula.display ? "<math display=\"block\">" : "<math>") +
                      primer::escape(formula.tex) + "</math>");
      }
    }
    return all;
  };
  const auto below = [&](const std::string& directory) {
    Files found;
    for (const auto& [path, text] : files) {
      if (path.starts_with(directory)) found[path.substr(directory.size())] = text;
    }
    return found.empty() ? nullptr : primer::in_memory(found);
  };
  const auto fonts = below("build/fonts/");
  const auto minified = below("build/minified/");
  const auto modules = below("build/wasm/");
  primer::SiteInputs inputs{
      book.get(), {site.get(), fonts.get(), minified.get(), modules.get()}, typeset};
  inputs.history = [&] { return history; };
  inputs.tracked = [&] { return tracked; };
  const primer::Threads tasks(threads);
  inputs.tasks = &tasks;
  return primer::make_site(inputs, options, diagnostics);
}

Built built(const Files& files, const primer::SiteOptions& options, const primer::History& history,
            int threads = 1) {
  primer::Diagnostics diagnostics;
  auto site = make(files, options, history, diagnostics, {}, threads);
  return {std::move(site), primer::to_text(diagnostics, primer::Format::text)};
}

}  // namespace

Built build(const Files& files, int threads, bool prose) {
  primer::SiteOptions options;
  options.prose = prose;
  return built(files, options, {}, threads);
}

Built publish(const Files& files, const primer::History& history, bool renditions) {
  primer::SiteOptions options;
  options.base_url = "https://h.io/repo/";
  options.renditions = renditions;
  return built(files, options, history);
}

Built preview(const Files& files) {
  primer::SiteOptions options;
  options.base_url = primer::no_base_url;
  return built(files, options, {});
}

Built publish_tracked(const Files& files, const std::optional<primer::TrackedFiles>& tracked) {
  primer::SiteOptions options;
  options.base_url = "https://h.io/repo/";
  primer::Diagnostics diagnostics;
  auto site = make(files, options, {}, diagnostics, tracked);
  return {std::move(site), primer::to_text(diagnostics, primer::Format::text)};
}

primer::Diagnostics diagnose(const Files& files) {
  primer::Diagnostics diagnostics;
  make(files, {}, {}, diagnostics);
  return diagnostics;
}

std::string errors(const std::string& body) { return build(with(body)).errors; }

std::string html(const std::string& body) {
  const Built built = build(with(body));
  if (!built.errors.empty()) return built.errors;
  const std::string& page = built.site.at("first/index.html");
  return page.substr(page.find('\n') + 1);
}

}  // namespace small_book
