// A page and a figure depend on the facts, references, terms and profiles that they requested, and
// on nothing else.
//
// The book's own facts, with two chapters that use them in every possible way. At random, an entry
// gets another value, title, note, source or date, or is added, removed or changed back, and so is
// the reference profile. After each edit the incremental build must have the same bytes or errors
// as a build without a cache. EDITS=1000 makes more edits.
#include <nlohmann/json.hpp>
#include <random>

#include "catch.hpp"
#include "rebuilt_site.hpp"
#include "rounds.hpp"
#include "small_book.hpp"

using namespace rebuilt;
using Json = nlohmann::ordered_json;

namespace {

const std::string chips = "chapters/facts/chips.json";

std::string source_of(const std::string& path) { return read(fs::path(PRIMER_SOURCE) / path); }

constexpr const char* first_chapter = R"(---
title: First
---
The H100 reads [3.35 TB/s](fact:h100-sxm.bandwidth) of [HBM](term:hbm) [@williams2009]; a number of bf16 takes
[2 B](fact:bytes.bf16), a 9654 does [7.37 TFLOP/s](fact:epyc-9654.peak.fp32). Rubin is announced with
[22 TB/s](claim:rubin-bandwidth). The ridge is [295 FLOP/B](<calc: h100-sxm.peak.bf16 / h100-sxm.bandwidth>),
here [3.6 FLOP/B](<live: P.fma / B>).

```figure
id: fig-chips
spec: lead
caption: Two chips.
alt: Bars.
```

```figure
id: fig-roofline
spec: measured
caption: The roofline.
alt: A roofline.
```

```verdict
id: verdict-one
on: P.fma / B
cases:
  - when: empty
    say: Here {value | FLOP/B}, an H100 has {h100-sxm.peak.bf16 / h100-sxm.bandwidth | FLOP/B}.
  - when: untrusted
    say: Measure again.
  - when: otherwise
    say: Yours has {value | FLOP/B}.
```
)";

constexpr const char* second_chapter = R"(---
title: Second
---
The [KV cache](term:kv-cache) [@williams2009].

```worked
id: q-time
ask: How long does an H100 take to read its memory?
given:
  m: h100-sxm.memory
  b: h100-sxm.bandwidth
answer: m / b
expect: 25.6 ms
why: Bytes over bandwidth.
trap: None.
```

```model
id: mod-sheet
model: datasheet
caption: A data sheet.
```

```glossary
```
)";

class FactBook {
 public:
  struct State {
    Files files;
    std::vector<std::tuple<std::string, std::string, Json>> removed;  // path, id, entry
  };

  explicit FactBook(unsigned seed) : random_(seed), now_{small_book::with(""), {}} {
    Files& files = now_.files;
    files.erase("chapters/en/second.md");
    files["chapters/en/01-first.md"] = first_chapter;
    files["chapters/en/02-second.md"] = second_chapter;
    files["chapters/es/02-second.md"] =
        "---\ntitle: Segundo\n---\n[Caché](term:kv-cache) [@williams2009].\n";
    files["chapters/book.yaml"] =
        "title: Facts\nlanguage: en\nlanguages: [en, es]\nreference: test\nas_of: 2026-11\n"
        "chapters:\n  - slug: first\n    number: 1\n  - slug: second\n    number: 2\n";
    for (const char* name :
         {"assumptions", "chips", "claims", "glossary", "links", "models", "references"}) {
      const std::string path = "chapters/facts/" + std::string(name) + ".json";
      files[path] = source_of(path);
    }
    files["chapters/es/glossary.json"] = source_of("chapters/es/glossary.json");
    files["site/locales/es.json"] = source_of("site/locales/es.json");
    files["figures/specs/lead.json"] = source_of("figures/specs/chip-lead.json");
    files["figures/specs/measured.json"] =
        R"({"kind": "roofline", "title": "Measured", "profile": true, "machines":
            [{"label": "H100", "peak": "h100-sxm.peak.bf16", "bandwidth": "h100-sxm.bandwidth"}]})";
    for (const auto& [path, text] : small_book::site_files()) files["site/" + path] = text;
    for (const auto& [path, text] : files) {
      if (path.ends_with(".json") && path.starts_with("chapters/")) edited_.push_back(path);
    }
  }

  const Files& files() const { return now_.files; }
  const State& state() const { return now_; }
  void restore(const State& state) { now_ = state; }

  void set(const std::string& path, const std::string& id, const std::string& member,
           const std::string& value) {
    Json entries = Json::parse(now_.files.at(path));
    (id.empty() ? entries : entries.at(id))[member] = value;
    now_.files[path] = entries.dump(1);
  }

  // The edits so far.
  std::string edit() {
    if (below(10) == 0) return measure_again();
    const std::string path = edited_[below(edited_.size())];
    Json entries = Json::parse(now_.files.at(path));
    const std::string id = entry_of(entries);
    std::string what = "in " + path + ": " + id;
    if (below(8) == 0 && now_.removed.size() < 3) {
      now_.removed.emplace_back(path, id, entries.at(id));
      entries.erase(id);
      what += " goes";
    } else {
      what += ", " + change(entries.at(id));
    }
    now_.files[path] = entries.dump(1);
    return what;
  }

  std::string bring_back() {
    if (now_.removed.empty()) return "nothing";
    const auto [path, id, entry] = now_.removed.back();
    now_.removed.pop_back();
    Json entries = Json::parse(now_.files.at(path));
    entries[id] = entry;
    now_.files[path] = entries.dump(1);
    return id + " comes back";
  }

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  std::string measure_again() {
    std::string& profile = now_.files.at("figures/profiles/test.json");
    const auto at = profile.find("\"value\": 4") + 10;
    profile[at] = static_cast<char>('5' + below(2));
    const auto name =
        profile.find("Test machine") == profile.npos ? "Best machine" : "Test machine";
    if (below(2) == 0)
      profile.replace(profile.find(name), 12, name[0] == 'T' ? "Best machine" : "Test machine");
    return "the profile";
  }

  // Two times out of three, an entry that the chapters use.
  std::string entry_of(const Json& entries) {
    std::vector<std::string> all, used;
    for (const auto& [id, entry] : entries.items()) {
      all.push_back(id);
      for (const char* name :
           {"h100", "h200", "b200", "epyc", "rubin", "hbm", "kv-cache", "williams", "bytes"})
        if (id.starts_with(name)) used.push_back(id);
    }
    const auto& from = used.empty() || below(3) == 0 ? all : used;
    return from[below(from.size())];
  }

  std::string change(Json& entry) {
    std::vector<std::string> members;
    for (const auto& [name, value] : entry.items())
      if (value.is_string() && name != "kind" && name != "from" && name != "type")
        members.push_back(name);
    const std::string name = members[below(members.size())];
    std::string text = entry.at(name);
    if (name == "status") text = text == "announced" ? "simulated" : "announced";
    else if (name == "read") text = text == "quoted" ? "secondary" : "quoted";
    else if (name == "by") text = text == "vendor" ? "independent" : "vendor";
    else if (name == "as_of" || name == "said") text = text == "2026-10" ? "2026-11" : "2026-10";
    else if (name == "value" || name == "url") text = with_another_digit(text);
    else text += text.ends_with('!') ? "?" : "!";
    entry[name] = text;
    return name + " is " + text;
  }

  // "3.35 TB/s" → "3.36 TB/s".
  static std::string with_another_digit(std::string text) {
    const auto last = text.find_last_of("12345678");
    if (last != text.npos) ++text[last];
    return text;
  }

  std::mt19937 random_;
  State now_;
  std::vector<std::string> edited_;  // paths
};

std::vector<std::string> rendered(const primer::BuildReport& report) {
  std::vector<std::string> files;
  for (const auto& page : report.pages)
    if (page.rendered) files.push_back(page.file);
  return files;
}

}  // namespace

TEST_CASE("facts: after every edit of an entry the site is what a clean build makes", "[slow]") {
  const int edits = rounds("EDITS", 30, 1000);
  const Scratch scratch;
  FactBook book(20261129);
  Bench bench(scratch.path);
  Files before;
  auto good = book.state();
  int wrong = 0, from_cache = 0, pages = 0;
  for (int i = 0; i < edits; ++i) {
    const std::string what = i == 0 ? "begin" : i % 5 == 4 ? book.bring_back() : book.edit();
    INFO("edit " << i << ": " << what);
    write_out(scratch.path / "book", book.files(), before);
    before = book.files();
    primer::BuildReport report;
    const std::string errors = bench.incremental(report);
    const auto clean = bench.clean();
    REQUIRE(errors == clean.errors);
    if (errors.empty()) {
      REQUIRE(tree(bench.site()) == clean.files);
      good = book.state();
    } else {
      ++wrong;
      book.restore(good);
    }
    for (const auto& page : report.pages) from_cache += page.rendered ? 0 : 1, ++pages;
  }
  // Otherwise the test would prove nothing.
  CHECK(wrong < edits * 2 / 3);
  CHECK(from_cache > pages / 2);
  CHECK(from_cache < pages);
}

TEST_CASE("facts: an edit renders the pages that use the entry, and no others", "[incremental]") {
  const Scratch scratch;
  FactBook book(1);
  Bench bench(scratch.path);
  Files before;
  primer::BuildReport report;
  const auto build = [&] {
    write_out(scratch.path / "book", book.files(), before);
    before = book.files();
    report = {};
    REQUIRE(bench.incremental(report) == "");
    return rendered(report);
  };
  // The figures drawn by all builds so far.
  const auto misses = [&] { return report.cache.at(primer::Cache::Kind::figure).missed; };
  const std::string first = "chapters/en/01-first.md", second = "chapters/en/02-second.md",
                    third = "chapters/es/02-second.md";
  // `third` shows the blocks of `second` that it does not translate, with their facts and terms.
  using Pages = std::vector<std::string>;
  CHECK(build() == Pages{first, second, third});
  book.set(chips, "a100-sxm-80.latency.l1", "note", "nobody asks");
  CHECK(build().empty());
  const auto drawn = misses();
  CHECK(drawn > 0);
  book.set(chips, "epyc-9654.clock.base", "note", "what another one is computed from");
  CHECK(build() == Pages{first});
  CHECK(misses() == drawn);
  book.set(chips, "h200-sxm.memory", "value", "142 GiB");  // a question may be about it
  CHECK(build() == Pages{second, third});
  CHECK(misses() > drawn);  // the model uses it
  const auto drawing = [&] {
    const std::string page = read(fs::path(bench.site()) / "first/index.html");
    return page.substr(page.find("<svg"), page.find("</svg>") - page.find("<svg"));
  };
  const std::string lead = drawing();
  book.set(chips, "epyc-9654.power", "value", "350 W");
  CHECK(build() == Pages{first});
  CHECK(drawing() != lead);
  book.set("chapters/facts/glossary.json", "gemm", "definition", "Another.");
  CHECK(build() == Pages{second, third});
  book.set("chapters/facts/glossary.json", "hbm", "definition", "Stacked memory.");
  CHECK(build() == Pages{first, second, third});
  book.set("chapters/es/glossary.json", "kv-cache", "definition", "Memoria.");
  CHECK(build() == Pages{third});
  book.set("chapters/facts/references.json", "nvidia-h100-page", "title", "A page");
  CHECK(build() == Pages{first});
  book.set("chapters/facts/references.json", "williams2009", "title", "Roofline");
  CHECK(build() == Pages{first, second, third});
  book.set("figures/profiles/test.json", "", "name", "Another machine");
  CHECK(build() == Pages{first, second, third});
  const auto changes = report.pages.front().changes;
  CHECK(changes == Pages{"figures/profiles/test.json changed"});
  book.set(chips, "h100-sxm.bandwidth", "note", "read again");
  CHECK(build() == Pages{first, second, third});
  CHECK(report.pages.front().changes == Pages{"the fact h100-sxm.bandwidth changed"});
}
