#include "generator/core/diagnostic/diagnostic.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <tuple>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
constexpr Rule lowered[] = {
    Rule::mixed_scripts,
    Rule::unlisted_chapter,
    Rule::raw_html,
    Rule::foreign_syntax,
    Rule::stray_mark,
    Rule::lost_text,
    Rule::unused_definition,
    Rule::bad_image,
    Rule::dead_link,
    Rule::empty_reference,
    Rule::bad_heading,
    Rule::bad_callout,
    Rule::bad_caption,
    Rule::bad_table,
    Rule::bad_code_block,
    Rule::unknown_note,
    Rule::unused_note,
    Rule::unknown_term,
    Rule::unknown_citation,
    Rule::bad_maths,
    Rule::bare_number,
    Rule::long_sentence,
    Rule::crowded_sentence,
    Rule::odd_phrase,
    Rule::long_paragraph,
    Rule::long_section,
    Rule::placeholder,
    Rule::avoided_word,
    Rule::orphaned_translation,
    Rule::stale_translation,
    Rule::missing_translation,
};

bool holds(std::string_view place, std::string_view file) {
  return place.empty() || place == file || (place.ends_with('/') && file.starts_with(place));
}

}  // namespace

bool can_be_lowered(Rule rule) { return std::ranges::find(lowered, rule) != std::end(lowered); }

void Severities::set(const std::string& place, Rule rule, Severity severity) {
  places_[rule][place] = severity;
}

Severity Severities::of(Rule rule, std::string_view file, Severity usual) const {
  const auto places = places_.find(rule);
  if (places == places_.end()) return usual;
  // Places are sorted, so the innermost place that contains the file comes last.
  for (const auto& [place, severity] : places->second) {
    if (holds(place, file)) usual = severity;
  }
  return usual;
}

namespace {
auto order(const Diagnostic& d) {
  const bool behind_others = d.rule == Rule::more_errors;
  return std::tuple(std::string_view(d.file), behind_others, d.line, d.column, info(d.rule).id,
                    std::string_view(d.message), std::string_view(d.suggestion), d.length);
}

// Several pages can find the same error, for example in the spec of a shared figure.
std::vector<const Diagnostic*> distinct(const std::vector<Diagnostic>& list) {
  std::set<decltype(order(list.front()))> seen;
  std::vector<const Diagnostic*> all;
  for (const Diagnostic& d : list)
    if (seen.insert(order(d)).second) all.push_back(&d);
  return all;
}

// A longer suggestion would not be read, and a shortened one would be wrong.
constexpr std::size_t longest_suggestion = 300;

// "2 errors, 1 warning", or "2 more errors, 1 more warning" if `more` is "more ".
std::string counts_of(std::size_t errors, std::size_t warnings, const std::string& more = {}) {
  std::vector<std::string> parts;
  if (errors > 0) parts.push_back(counted(errors, more + "error"));
  if (warnings > 0) parts.push_back(counted(warnings, more + "warning"));
  return join(parts, ", ");
}

Diagnostic more(const std::string& file, std::size_t errors, std::size_t warnings) {
  Diagnostic d;
  d.rule = Rule::more_errors;
  d.severity = errors > 0 ? Severity::error : Severity::warning;
  d.file = file;
  d.message = "and " + counts_of(errors, warnings, "more ") + (file.empty() ? "" : " in this file");
  return d;
}

// Long lines are cut around the span, so that the caret is on the same terminal line.
constexpr int excerpt_width = 100;

struct Excerpt {
  std::string line;
  std::string caret;
};

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    all.push_back(text.substr(i, end - i));
    i = end;
  }
  return all;
}

Excerpt excerpt(const Diagnostic& d) {
  const auto all = characters(d.excerpt);
  const int size = static_cast<int>(all.size());
  const int column = std::clamp(d.excerpt_column, 1, size + 1);
  int first = 0;
  if (size > excerpt_width && column > excerpt_width * 3 / 4) first = column - excerpt_width / 2;
  const int last = std::min(size, first + excerpt_width);

  Excerpt shown;
  if (first > 0) shown = {"…", " "};
  for (int i = first; i < last; ++i) {
    const auto& character = all[static_cast<std::size_t>(i)];
    // A tab is copied to the caret line as a tab, so that the columns line up.
    const std::string seen = character == "\t" ? "\t" : visible(character);
    shown.line += seen;
    if (i < column - 1) {
      shown.caret += character == "\t"
                         ? "\t"
                         : std::string(static_cast<std::size_t>(character_count(seen)), ' ');
    }
  }
  if (last < size) shown.line += "…";
  const int room = std::max(1, last - (column - 1));
  shown.caret += std::string(static_cast<std::size_t>(std::clamp(d.length, 1, room)), '^');
  return shown;
}

std::string_view word(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

std::string place(const Diagnostic& d) {
  if (d.file.empty()) return "primer";
  if (d.line == 0) return d.file;
  return d.file + ':' + std::to_string(d.line) + ':' + std::to_string(d.column);
}

// Names of files and texts of the book appear in messages, so control characters are made visible
// before they reach a terminal or a log.
Diagnostic cleaned(Diagnostic d) {
  for (std::string* text : {&d.file, &d.message, &d.suggestion}) *text = visible(*text);
  for (auto& note : d.notes) note = visible(note);
  return d;
}

std::string text_of(const Diagnostic& d) {
  std::string out = place(d) + ": " + std::string(word(d.severity)) + ": " + d.message + " [" +
                    std::string(info(d.rule).id) + "]\n";
  if (d.line > 0) {
    const Excerpt shown = excerpt(d);
    out += "  " + shown.line + "\n  " + shown.caret + '\n';
  }
  if (!d.suggestion.empty()) out += "  did you mean " + in_quotes(d.suggestion) + "?\n";
  for (const auto& note : d.notes) out += "  note: " + note + '\n';
  return out;
}

std::string json_of(const std::vector<Diagnostic>& list, const std::string& base_url) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& d : list) {
    array.push_back({{"rule", info(d.rule).id},
                     {"documentation", rule_address(d.rule, base_url)},
                     {"severity", word(d.severity)},
                     {"file", d.file},
                     {"line", d.line},
                     {"column", d.column},
                     {"length", d.length},
                     {"endColumn", d.line > 0 ? d.column + std::max(1, d.length) : 0},
                     {"message", d.message},
                     {"notes", d.notes},
                     {"suggestion", d.suggestion}});
  }
  // A file name may put invalid UTF-8 into a message. The output is ASCII, so nothing in it
  // controls a terminal.
  return array.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + '\n';
}

// GitHub's workflow commands: percent and line breaks are escaped, and in properties also colon and
// comma.
std::string github_of(const Diagnostic& d, const std::string& base_url) {
  const auto data = [](std::string text) {
    return replace_all(replace_all(replace_all(std::move(text), "%", "%25"), "\r", "%0D"), "\n",
                       "%0A");
  };
  const auto property = [&](std::string text) {
    return replace_all(replace_all(data(std::move(text)), ":", "%3A"), ",", "%2C");
  };
  std::string message = d.message;
  if (!d.suggestion.empty()) message += "; did you mean " + in_quotes(d.suggestion) + '?';
  for (const auto& note : d.notes) message += '\n' + note;
  message += '\n' + rule_address(d.rule, base_url);
  std::string out = "::" + std::string(word(d.severity)) + ' ';
  if (!d.file.empty()) out += "file=" + property(d.file) + ',';
  if (d.line > 0) {
    out += "line=" + std::to_string(d.line) + ",col=" + std::to_string(d.column) +
           ",endLine=" + std::to_string(d.line) +
           ",endColumn=" + std::to_string(d.column + std::max(1, d.length)) + ',';
  }
  return out + "title=" + property(std::string(info(d.rule).id)) + "::" + data(message) + '\n';
}

}  // namespace

bool Diagnostics::full(const std::string& file, Severity severity) const {
  const auto found = files_.find(file);
  return kept_.of(severity) >= most ||
         (found != files_.end() && found->second.kept.of(severity) >= most_of_file);
}

void Diagnostics::judge_by(std::shared_ptr<const Severities> severities) {
  severities_ = std::move(severities);
}

void Diagnostics::judge(Diagnostic& diagnostic) const {
  if (severities_)
    diagnostic.severity = severities_->of(diagnostic.rule, diagnostic.file, diagnostic.severity);
}

// The caller may change the last diagnostic after adding it. So its severity is final, and it is
// counted, only when the next one is added.
void Diagnostics::settle() {
  if (std::exchange(settled_, true)) return;
  judge(list_.back());
  const Severity severity = list_.back().severity;
  const bool left_out = full(list_.back().file, severity);
  OfFile& file = files_[list_.back().file];
  if (left_out) {
    ++file.counted.of(severity);
    ++file.rules[list_.back().rule].of(severity);
    list_.pop_back();
  } else {
    ++file.kept.of(severity);
    ++kept_.of(severity);
  }
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  settle();
  settled_ = false;
  judge(diagnostic);
  diagnostic.message = shortened(std::move(diagnostic.message));
  list_.push_back(std::move(diagnostic));
  return list_.back();
}

Diagnostic& Diagnostics::at_place(Severity severity, Rule rule, const Source& source,
                                  std::size_t offset, std::size_t length, std::string message,
                                  std::string suggestion) {
  settle();
  Diagnostic d;
  d.rule = rule;
  d.severity = severity;
  d.file = source.path();
  d.message = std::move(message);
  judge(d);
  severity = d.severity;
  // Finding the position in a long line takes time, and this one will not be shown.
  if (full(d.file, severity)) return add(std::move(d));
  const Position at = source.position(offset);
  const std::string_view line = source.line(at.line);
  const std::size_t inside =
      std::min(offset - std::min(offset, source.line_start(at.line)), line.size());
  CutLine cut = cut_around(line, inside);
  d.line = at.line;
  d.column = at.column;
  d.length = character_count(line.substr(inside, length));
  d.excerpt = std::move(cut.text);
  d.excerpt_column = cut.column;
  if (suggestion.size() <= longest_suggestion) d.suggestion = std::move(suggestion);
  return add(std::move(d));
}

Diagnostic& Diagnostics::error(Rule rule, const Source& source, std::size_t offset,
                               std::size_t length, std::string message, std::string suggestion) {
  return at_place(Severity::error, rule, source, offset, length, std::move(message),
                  std::move(suggestion));
}

Diagnostic& Diagnostics::warning(Rule rule, const Source& source, std::size_t offset,
                                 std::size_t length, std::string message, std::string suggestion) {
  return at_place(Severity::warning, rule, source, offset, length, std::move(message),
                  std::move(suggestion));
}

Diagnostic& Diagnostics::error(Rule rule, std::string file, std::string message) {
  Diagnostic d;
  d.rule = rule;
  d.file = std::move(file);
  d.message = std::move(message);
  return add(std::move(d));
}

void Diagnostics::hint(std::string note) {
  list_.back().notes.push_back(shortened(std::move(note)));
}

void Diagnostics::fix(Edit edit) { list_.back().fix = std::move(edit); }

void Diagnostics::append(Diagnostics&& others) {
  others.settle();
  for (auto& d : others.list_) add(std::move(d));
  settle();
  for (const auto& [file, of] : others.files_) {
    files_[file].counted.errors += of.counted.errors;
    files_[file].counted.warnings += of.counted.warnings;
    for (const auto& [rule, tally] : of.rules) {
      files_[file].rules[rule].errors += tally.errors;
      files_[file].rules[rule].warnings += tally.warnings;
    }
  }
  others = {};
}

std::size_t Diagnostics::count(Severity severity) const {
  std::size_t count = 0;
  for (const Diagnostic* d : distinct(list_)) count += d->severity == severity;
  for (const auto& [file, of] : files_) count += of.counted.of(severity);
  return count;
}

std::map<Rule, Diagnostics::Tally> Diagnostics::by_rule() const {
  std::map<Rule, Tally> rules;
  for (const Diagnostic* d : distinct(list_)) ++rules[d->rule].of(d->severity);
  for (const auto& [file, of] : files_) {
    for (const auto& [rule, tally] : of.rules) {
      rules[rule].errors += tally.errors;
      rules[rule].warnings += tally.warnings;
    }
  }
  return rules;
}

void Diagnostics::found_on(const std::string& page) {
  for (auto& d : list_) d.page = page;
}

void Diagnostics::keep_only(const std::set<std::string>& files) {
  settle();
  std::set<std::string> about = files;
  std::erase_if(list_, [&](const Diagnostic& d) {
    if (files.contains(d.page)) about.insert(d.file);
    return !files.contains(d.file) && !files.contains(d.page);
  });
  std::erase_if(files_, [&](const auto& of) { return !about.contains(of.first); });
}

bool Diagnostics::has_errors_in(std::string_view directory) const {
  return std::any_of(list_.begin(), list_.end(), [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.file.starts_with(directory);
  });
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  Diagnostics all = *this;
  all.settle();
  auto& list = all.list_;
  for (const auto& [file, of] : all.files_) {
    if (of.counted.errors + of.counted.warnings > 0) {
      list.push_back(more(file, of.counted.errors, of.counted.warnings));
    }
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return order(a) < order(b); });
  list.erase(std::unique(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return order(a) == order(b); }),
             list.end());
  return std::move(list);
}

std::string to_counts(const Diagnostics& diagnostics) {
  std::vector<std::pair<Rule, Diagnostics::Tally>> rules;
  for (const auto& rule : diagnostics.by_rule()) rules.push_back(rule);
  std::ranges::stable_sort(rules, std::greater(), [](const auto& rule) {
    return std::pair(rule.second.errors, rule.second.warnings);
  });
  std::string out;
  for (const auto& [rule, tally] : rules)
    out += std::string(info(rule).id) + ": " + counts_of(tally.errors, tally.warnings) + '\n';
  if (rules.empty()) return "nothing is wrong\n";
  return out + "in all: " +
         counts_of(diagnostics.count(Severity::error), diagnostics.count(Severity::warning)) + '\n';
}

std::string to_text(const Diagnostics& diagnostics, Format format, const std::string& base_url) {
  auto list = diagnostics.sorted();
  if (format == Format::json) return json_of(list, base_url);
  for (auto& d : list) d = cleaned(std::move(d));
  std::string out;
  for (const auto& d : list) out += format == Format::github ? github_of(d, base_url) : text_of(d);
  if (format != Format::text || list.empty()) return out;
  return out + counts_of(diagnostics.count(Severity::error), diagnostics.count(Severity::warning)) +
         '\n';
}

}  // namespace primer
