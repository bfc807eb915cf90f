#include "generator/cli/content_commands.hpp"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "figures/base/ascii.hpp"
#include "figures/base/nearest.hpp"
#include "generator/cli/book_check.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/index/translation.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/tools/facts/benchmark_import.hpp"
#include "generator/tools/facts/fact_diff.hpp"
#include "generator/tools/facts/fact_edit.hpp"
#include "generator/tools/import/bibliography.hpp"
#include "generator/tools/translate/stamp.hpp"

namespace primer {
namespace {
using figures::Fact;
using figures::lower;
using Json = nlohmann::ordered_json;

std::string thing_title(const FactsBook& book, const Fact& fact) {
  const figures::Thing* thing = book.facts.thing_of(fact.id);
  return thing ? thing->title : "";
}

// How far the number can be trusted, in one word: how its source was read, or another kind of fact.
std::string confidence(const Fact& fact) {
  if (fact.kind == Fact::Kind::assumed) return "assumed";
  if (fact.kind == Fact::Kind::derived) return "derived";
  return fact.read.empty() ? "sourced" : fact.read;
}

std::string sources_of(const Fact& fact) {
  return fact.kind == Fact::Kind::derived ? "= " + fact.from : join(fact.sources, ", ");
}

bool holds(const FactsBook& book, const Fact& fact, const std::vector<std::string>& words) {
  const std::string text = lower(fact.id + '\n' + thing_title(book, fact) + '\n' + fact.text +
                                 '\n' + fact.note + '\n' + sources_of(fact));
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(lower(word)) != text.npos; });
}

Json json_of(const FactsBook& book, const Fact& fact) {
  Json one = {{"id", fact.id},
              {"thing", thing_title(book, fact)},
              {"value", fact.text},
              {"number", fact.literal.number},
              {"unit", fact.unit},
              {"confidence", confidence(fact)},
              {"sources", fact.sources},
              {"from", fact.from},
              {"note", fact.note},
              {"status", fact.status},
              {"as_of", fact.as_of},
              {"said", fact.said},
              {"by", fact.by}};
  for (const char* optional : {"thing", "from", "note", "status", "as_of", "said", "by"}) {
    if (one.at(optional).get_ref<const std::string&>().empty()) one.erase(optional);
  }
  return one;
}

bool is_id_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
}

// Lines of chapters and facts that use the id: "chapters/en/01-roofline.md:12".
std::vector<std::string> uses_of(const FileSystem& files, const std::string& id) {
  std::vector<std::string> places;
  for (const auto& path : files.list("chapters")) {
    const auto text = path.ends_with(".md") ? files.read(path) : std::nullopt;
    if (!text) continue;
    const Source source(path, *text);
    int last = 0;
    for (auto at = text->find(id); at != text->npos; at = text->find(id, at + 1)) {
      // A full stop after an id may be the end of the sentence.
      std::size_t end = at + id.size();
      if (end < text->size() && (*text)[end] == '.') ++end;
      const bool whole = (at == 0 || !is_id_part((*text)[at - 1])) &&
                         (end == text->size() || !is_id_part((*text)[end]));
      const int line = source.line_at(at);
      if (whole && line != last) places.push_back(path + ':' + std::to_string(line));
      if (whole) last = line;
    }
  }
  return places;
}

// "5 times in 2 files". `uses`: in the order of their files.
std::string use_count(const std::vector<std::string>& uses) {
  std::size_t files = 0;
  std::string_view last;
  for (const std::string_view use : uses) {
    const auto file = use.substr(0, use.rfind(':'));
    if (file != last) ++files;
    last = file;
  }
  return counted(uses.size(), "time") + " in " + counted(files, "file");
}

std::string how_read(const std::string& word) {
  if (word == "primary") return "primary: read in the document itself";
  if (word == "quoted") return "quoted: from a vendor's document, quoted elsewhere";
  if (word == "device") return "device: measured or queried on one";
  if (word == "secondary") return "secondary: from somebody who reports it";
  if (word == "assumed") return "assumed: a round number for an example";
  if (word == "derived") return "derived: computed from other facts";
  return word;
}

}  // namespace

std::optional<FactsBook> load_facts_book(const FileSystem& files, Diagnostics& diagnostics) {
  FactsBook book;
  load_facts(files, book.facts, diagnostics);
  book.library = load_references(files, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return book;
}

std::string list_facts(const FactsBook& book, const std::vector<std::string>& words,
                       Format format) {
  TableRows rows;
  auto all = Json::array();
  for (const Fact& fact : book.facts.all()) {
    if (!holds(book, fact, words)) continue;
    rows.push_back({fact.id, fact.text, confidence(fact), sources_of(fact)});
    all.push_back(json_of(book, fact));
  }
  return format == Format::json ? all.dump(2) + '\n' : in_columns(rows);
}

std::optional<std::string> show_fact(const FactsBook& book, const FileSystem& files,
                                     const std::string& id, bool with_uses, Format format,
                                     Diagnostics& diagnostics) {
  const Fact* fact = book.facts.find(id);
  if (!fact) {
    auto& d = diagnostics.error(Rule::unknown_fact, "", "no fact has the id " + in_quotes(id));
    d.suggestion = book.facts.nearest(id);
    const auto similar = similar_facts(book, id);
    if (d.suggestion.empty() && !similar.empty()) {
      d.notes.push_back("similar ids: " + join(similar, ", "));
    }
    return std::nullopt;
  }
  const auto uses = uses_of(files, id);
  if (format == Format::json) {
    Json one = json_of(book, *fact);
    auto works = Json::array();
    for (const auto& source : fact->sources) {
      const auto work = book.library.references.find(source);
      if (work == book.library.references.end()) continue;
      works.push_back({{"id", source}, {"title", work->second.title}, {"url", work->second.url}});
    }
    one["works"] = std::move(works);
    one["uses"] = uses;
    return one.dump(2) + '\n';
  }
  TableRows rows{{"id", fact->id}};
  const auto row = [&](const char* name, const std::string& value) {
    if (!value.empty()) rows.push_back({name, value});
  };
  row("of", thing_title(book, *fact));
  row("value", fact->text);
  const std::string base = figures::describe(fact->quantity.dimension);
  row("base", figures::format(fact->quantity, base).value_or(""));
  row("trust", how_read(confidence(*fact)));
  row("from", fact->from);
  row("note", fact->note);
  row("status", fact->status.empty() ? "" : fact->status + ", as of " + fact->as_of);
  row("said", fact->said);
  row("by", fact->by);
  for (const auto& source : fact->sources) {
    const auto work = book.library.references.find(source);
    row("source",
        "[@" + source + "] " +
            (work == book.library.references.end() ? std::string()
                                                   : work->second.title + ' ' + work->second.url));
  }
  row("write", '[' + fact->text + "](fact:" + fact->id + ')');
  row("used", use_count(uses));
  if (with_uses)
    for (const auto& use : uses) row("at", use);
  return in_columns(rows);
}

std::vector<std::string> similar_facts(const FactsBook& book, const std::string& word) {
  std::vector<std::pair<int, std::string>> near;
  constexpr int limit = 6;
  for (const Fact& fact : book.facts.all()) {
    int best = figures::edit_distance(word, fact.id, limit);
    for (const auto part : split(fact.id, '.')) {
      best = std::min(best, 1 + figures::edit_distance(word, part, limit));
    }
    if (best <= std::min<int>(limit, 1 + static_cast<int>(word.size()) / 3)) {
      near.emplace_back(best, fact.id);
    }
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < near.size() && i < 5; ++i) ids.push_back(near[i].second);
  return ids;
}

int run(const FactsCommand& command) {
  if (!enter(reading({command.book}), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const Reporting reporting{command.book, {}, command.format};
  const auto files = disk(command.book);
  const auto book = load_facts_book(*files, diagnostics);
  if (!book) return report(diagnostics, reporting);
  if (!command.fact.empty()) {
    const auto text =
        show_fact(*book, *files, command.fact, command.uses, reporting.as(), diagnostics);
    std::cout << text.value_or("");
    return report(diagnostics, reporting);
  }
  const std::string text = list_facts(*book, command.words, reporting.as());
  std::cout << text;
  if (!text.empty() && text != "[]\n") return 0;
  if (command.words.empty()) return 0;
  diagnostics.error(Rule::unknown_fact, "",
                    "no fact contains " + in_quotes(join(command.words, " ")));
  for (const auto& word : command.words) {
    if (!list_facts(*book, {word}, Format::text).empty()) continue;
    const auto similar = similar_facts(*book, word);
    diagnostics.hint("no fact contains " + in_quotes(word) +
                     (similar.empty() ? "" : "; similar ids: " + join(similar, ", ")));
  }
  return report(diagnostics, reporting);
}

// primer facts set and primer facts diff

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

namespace fs = std::filesystem;

// primer facts import

namespace {
// Enters a sandbox that may change the book and read a file elsewhere.
bool enter_importing(const std::string& book, const std::string& file, bool no_sandbox) {
  Sandbox sandbox = changing(book);
  sandbox.read.push_back(fs::absolute(file).lexically_normal().parent_path());
  return enter(std::move(sandbox), no_sandbox);
}

// A file that the command line names. No value after a diagnostic.
std::optional<Source> read_given(const std::string& path, Diagnostics& diagnostics) {
  const fs::path file = fs::absolute(path).lexically_normal();
  auto text = disk(file.parent_path().string())->read(file.filename().string());
  if (!text) {
    diagnostics.error(Rule::file_unreadable, path, "this file cannot be read");
    return std::nullopt;
  }
  Source source(path, std::move(*text));
  if (!check_text(source, TextKind::prose, diagnostics)) return std::nullopt;
  return source;
}

}  // namespace

int run(const ImportFactsCommand& command) {
  if (!enter_importing(command.book, command.file, command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const Reporting reporting{command.book, {}, "text"};
  const auto results = read_given(command.file, diagnostics);
  if (!results) return report(diagnostics, reporting);
  const auto book = disk(command.book);
  Diagnostics of_book;
  if (!load_book(*book, of_book)) return report(of_book, reporting);
  const auto made = import_benchmarks(*book, *results, {command.machine, command.url}, diagnostics);
  if (!made) return report(diagnostics, reporting);
  for (const auto& [id, before, after] : made->changes) {
    std::cout << visible(id) << ": " << (before.empty() ? "" : visible(before) + " -> ")
              << visible(after) << '\n';
  }
  for (const auto& one : made->left_out) std::cout << "left out: " << visible(one) << '\n';
  write_and_name(command.book, made->files, diagnostics);
  if (!diagnostics.has_errors() &&
      std::ranges::any_of(made->changes, [](const auto& one) { return !one.before.empty(); }))
    std::cout << "to correct the numbers in the text, run primer check --fix\n";
  return report(diagnostics, reporting);
}

// primer references import

namespace {
void print(const ImportedReferences& made, bool checked) {
  std::cout << made.added.size() << (made.added.size() == 1 ? " work" : " works") << " added\n";
  if (!made.there.empty())
    std::cout << "already there, left unchanged: " << visible(join(made.there, ", ")) << '\n';
  for (const auto& one : made.changed) std::cout << visible(one.text) << '\n';
  for (const auto& one : made.left_out) std::cout << "left out: " << visible(one.text) << '\n';
  if (checked || made.added.empty()) return;
  std::cout
      << "before a chapter can cite one, compare its title, authors and address with the work "
         "and set \"checked\": true\n";
}

}  // namespace

int run(const ImportReferencesCommand& command) {
  if (!enter_importing(command.book, command.file, command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const Reporting reporting{command.book, {}, "text"};
  const auto given = read_given(command.file, diagnostics);
  if (!given) return report(diagnostics, reporting);
  const Source& source = *given;
  const auto book = disk(command.book);
  Diagnostics of_book;
  if (!load_book(*book, of_book)) return report(of_book, reporting);
  // An unreadable file would be replaced by the new one.
  const auto old = book->read(references_file);
  if (!old && report_unreadable(*book, references_file, diagnostics))
    return report(diagnostics, reporting);
  const auto made = with_references(source, old.value_or(""), command.checked, diagnostics);
  if (made && !made->added.empty())
    write_and_name(command.book, {{references_file, made->text}}, diagnostics);
  if (made && !diagnostics.has_errors()) print(*made, command.checked);
  return report(diagnostics, reporting);
}

// primer translate

namespace {
void row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells) {
  out << "  " << std::left << std::setw(28) << name << std::right;
  for (const auto& cell : cells) out << std::setw(10) << cell;
  out << '\n';
}

// The row of the glossary in a language. Its entries count like blocks of a chapter.
void terms_row(std::ostream& out, const Book& locale, const FileSystem& files,
               Diagnostics& diagnostics) {
  const Terms original = load_references(files, diagnostics).terms;
  if (original.empty()) return;
  const Terms terms = terms_in(locale, original, files, diagnostics, nullptr);
  std::size_t current = 0, stale = 0, missing = 0;
  for (const auto& [id, term] : terms) {
    if (term.language != locale.language) ++missing;
    else ++(term.from == source_hash(original.at(id)) ? current : stale);
  }
  row(out, "terms",
      {std::to_string(original.size()), std::to_string(current), std::to_string(stale),
       std::to_string(missing)});
}

}  // namespace

std::string translation_status(const FileSystem& files, Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book || diagnostics.has_errors()) return {};
  std::ostringstream out;
  for (const auto& locale : book->locales) {
    out << locale.language << '\n';
    row(out, "", {"blocks", "current", "stale", "missing"});
    for (const auto* list : {&locale.chapters, &locale.pages}) {
      for (const auto& entry : *list) {
        const std::string name = entry.slug;
        const auto there = read_blocks(files, entry.original.empty() ? entry.file : entry.original,
                                       false, diagnostics);
        if (!there) return {};
        const std::string blocks = std::to_string(there->blocks.size());
        if (entry.original.empty()) {
          row(out, name, {blocks, "0", "0", blocks});
          continue;
        }
        const auto here = read_blocks(files, entry.file, true, diagnostics);
        if (!here) return {};
        const Pairing pairing = pair_blocks(here->blocks, there->blocks);
        const auto current = std::count(pairing.current.begin(), pairing.current.end(), true);
        const auto stale = static_cast<std::ptrdiff_t>(here->blocks.size()) - current;
        const auto missing = std::ranges::count_if(pairing.missing, [&](int block) {
          return has_words(there->blocks[static_cast<std::size_t>(block)]);
        });
        row(out, name,
            {blocks, std::to_string(current), std::to_string(stale), std::to_string(missing)});
      }
    }
    Diagnostics of_terms;  // its warnings are the numbers in the row
    terms_row(out, locale, files, of_terms);
  }
  if (book->locales.empty()) out << "the book has one language, " << book->language << '\n';
  return out.str();
}

int run(const BeginTranslationCommand& command) {
  Sandbox sandbox = reading({command.book});
  // Makes missing directories.
  const std::filesystem::path book = command.book, site = book / "site";
  std::error_code error;
  const auto type = std::filesystem::symlink_status(site, error).type();
  sandbox.write = {type == std::filesystem::file_type::directory ? site : book};
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const auto files = disk(command.book);
  Diagnostics of_book;  // other errors in the book need not be fixed first
  if (!load_book(*files, of_book)) return report(of_book, {command.book, {}, "text"});
  const auto list = begin_strings(*disk((program_home() / "site").string()), *files,
                                  command.language, diagnostics);
  if (list) write_and_name(command.book, {{list->path, list->text}}, diagnostics);
  if (list && !diagnostics.has_errors()) {
    std::cout << list->strings << " strings, " << list->translated
              << " of them translated; pass --trust to use them\n";
  }
  return report(diagnostics, {command.book, {}, "text"});
}

int run(const TranslationStatusCommand& command) {
  if (!enter(reading({command.book}), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  std::cout << translation_status(*disk(command.book), diagnostics);
  return report(diagnostics, {command.book, {}, "text"});
}

int run(const StampCommand& command) {
  if (!enter(changing(command.book), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const std::optional<int> line = command.line > 0 ? std::optional(command.line) : std::nullopt;
  const auto text = stamped(*disk(command.book), command.file, line, diagnostics);
  if (text) write_and_name(command.book, {{command.file, *text}}, diagnostics);
  return report(diagnostics, {command.book, {}, "text"});
}

}  // namespace primer
