#include "generator/cli/manual_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/cli/site_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
// The values in "TEXT:{text,json}", which is how CLI11 shows CLI::IsMember.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const auto open = type.find('{'), close = type.find('}');
  if (open == type.npos || close == type.npos) return choices;
  for (std::size_t from = open + 1; from < close;) {
    const auto end = std::min(type.find(',', from), close);
    choices.push_back(type.substr(from, end - from));
    from = end + 1;
  }
  return choices;
}

ArgumentRow row_of(const CLI::Option& option) {
  ArgumentRow row;
  const bool dashed = !option.get_lnames().empty();
  row.name = dashed ? "--" + option.get_lnames().front() : option.get_name(true);
  row.about = option.get_description();
  row.required = option.get_required();
  row.many = option.get_items_expected_max() > 1;
  row.group = option.get_group();
  for (const auto& name : option.get_snames()) row.short_names += '-' + name + ", ";
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) row.value = type.substr(0, type.find(':'));
  row.choices = choices_in(type);
  return row;
}

void add_rows(const CLI::App& app, const std::string& words, std::vector<CommandRow>& rows) {
  rows.push_back(command_row(app, words));
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    add_rows(*command, words + (words.empty() ? "" : " ") + command->get_name(), rows);
}

}  // namespace

CommandRow command_row(const CLI::App& app, const std::string& words) {
  CommandRow row{words, app.get_description()};
  for (const auto* option : app.get_options())
    (option->get_positional() ? row.operands : row.options).push_back(row_of(*option));
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    row.below.push_back(command->get_name());
  return row;
}

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> rows;
  add_rows(app, "", rows);
  return rows;
}

namespace {
// Completions for bash, zsh and fish: what can follow the words typed so far.

std::string in_shell(std::string_view text) {  // quoted for all three shells
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::string in_fish(std::string_view text) {
  return "'" + replace_all(replace_all(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
}

// Escapes what zsh treats specially between [ and ] and before a colon.
std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replace_all(std::move(text), special, std::string("\\") + special);
  return text;
}

bool is_directory(const ArgumentRow& row) { return row.value == "DIR"; }
bool is_file(const ArgumentRow& row) { return row.value == "FILE"; }

// Words that are commands after those before them: "/build", "/new", "new/book".
std::vector<std::string> steps(const std::vector<CommandRow>& table) {
  std::vector<std::string> all;
  for (const auto& row : table)
    for (const auto& name : row.below) all.push_back(row.words + "/" + name);
  return all;
}

const CommandRow& command_of(const std::vector<CommandRow>& table, const std::string& words) {
  return *std::ranges::find(table, words, &CommandRow::words);
}

std::string below_words(const CommandRow& row, const std::string& name) {
  return row.words + (row.words.empty() ? "" : " ") + name;
}

// ---- bash

std::string bash_values(const ArgumentRow& row) {
  if (!row.choices.empty()) return "-W " + in_shell(join(row.choices, " "));
  return is_directory(row) ? "-d" : is_file(row) ? "-f" : "";
}

std::string bash_option_arms(const CommandRow& row) {
  std::string arms;
  for (const auto& option : row.options) {
    if (!option.value.empty())
      arms += "    " + in_shell(row.words + " " + option.name) + ") how=\"" + bash_values(option) +
              "\" ;;\n";
  }
  return arms;
}

std::string bash_command_arm(const CommandRow& row) {
  std::vector<std::string> words = row.below;
  for (const auto& option : row.options) words.push_back(option.name);
  std::string arm = "    " + in_shell(row.words) + ") words=" + in_shell(join(words, " "));
  if (!row.operands.empty()) {
    const auto how = bash_values(row.operands.back());
    if (!how.empty()) arm += " operands=" + in_shell(how);
  }
  return arm + " ;;\n";
}

std::string bash_completion(const std::vector<CommandRow>& table) {
  std::string text = R"(# Completions of primer for bash, as `primer completion bash` prints them.
_primer() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command='' word words='' operands='' how=none
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command/$word" in
      )" + join(steps(table), "|") +
                     R"() command=${command:+$command }$word ;;
    esac
  done
  case "$command $previous" in
)";
  for (const auto& row : table) text += bash_option_arms(row);
  text += "  esac\n  case $command in\n";
  for (const auto& row : table) text += bash_command_arm(row);
  return text + R"(  esac
  COMPREPLY=()
  if [ "$how" = none ]; then
    how=$operands
    case $current in -*) how='' ;; esac
    [ -n "$how" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
  if [ -n "$how" ]; then
    case $how in -W*) ;; *) compopt -o filenames 2> /dev/null ;; esac
    mapfile -t COMPREPLY < <(eval "compgen $how -- \"\$current\"")
  fi
}
complete -F _primer primer
)";
}

// ---- zsh

std::string zsh_values(const ArgumentRow& row) {
  if (!row.choices.empty()) return "(" + join(row.choices, " ") + ")";
  return is_directory(row) ? "_files -/" : is_file(row) ? "_files" : " ";
}

std::string zsh_arm(const std::vector<CommandRow>& table, const CommandRow& row) {
  std::string arm = "    " + in_shell(row.words) + ")\n      _arguments -S";
  for (const auto& option : row.options) {
    std::string spec = option.name + "[" + zsh_text(option.about) + "]";
    if (!option.value.empty()) spec += ":" + zsh_text(option.value) + ":" + zsh_values(option);
    arm += " \\\n        " + in_shell(spec);
  }
  for (const auto& operand : row.operands) {
    const std::string which = operand.many ? "*" : "";
    arm += " \\\n        " +
           in_shell(which + ":" + zsh_text(operand.name) + ":" + zsh_values(operand));
  }
  if (!row.below.empty()) {
    std::string list;
    for (const auto& name : row.below) {
      const auto& about = command_of(table, below_words(row, name)).about;
      list += (list.empty() ? "" : " ") + name + "\\:\"" + about + '"';
    }
    arm += " \\\n        " + in_shell(":command:((" + list + "))");
  }
  return arm + " ;;\n";
}

std::string zsh_completion(const std::vector<CommandRow>& table) {
  std::string text = R"(#compdef primer
# Completions of primer for zsh, as `primer completion zsh` prints them.
_primer() {
  local command='' word
  integer depth=0
  for word in "${(@)words[2,CURRENT-1]}"; do
    case "$command/$word" in
      )" + join(steps(table), "|") +
                     R"() command=${command:+$command }$word; (( depth += 1 )) ;;
    esac
  done
  shift $depth words
  (( CURRENT -= depth ))
  case $command in
)";
  for (const auto& row : table) text += zsh_arm(table, row);
  return text + "  esac\n}\n_primer \"$@\"\n";
}

// ---- fish

std::string fish_values(const ArgumentRow& row) {
  if (!row.choices.empty()) return " -a " + in_fish(join(row.choices, " "));
  if (is_directory(row)) return " -a '(__fish_complete_directories)'";
  return is_file(row) ? " -F" : "";
}

std::string fish_lines(const std::vector<CommandRow>& table, const CommandRow& row) {
  const std::string at = "complete -c primer -n " + in_fish("__primer_at " + row.words);
  std::string lines;
  for (const auto& name : row.below)
    lines += at + " -a " + name + " -d " +
             in_fish(command_of(table, below_words(row, name)).about) + "\n";
  for (const auto& option : row.options) {
    lines += at + " -l " + option.name.substr(2) + (option.value.empty() ? "" : " -r") +
             fish_values(option) + " -d " + in_fish(option.about) + "\n";
  }
  for (const auto& operand : row.operands)
    if (const auto how = fish_values(operand); !how.empty()) lines += at + how + "\n";
  return lines;
}

std::string fish_completion(const std::vector<CommandRow>& table) {
  std::string text = R"(# Completions of primer for fish, as `primer completion fish` prints them.
function __primer_at
    set -l command
    for word in (commandline -opc)[2..-1]
        switch "$command/$word"
            case )" + join(steps(table), " ") +
                     R"(
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv"
end
complete -c primer -f
)";
  for (const auto& row : table) text += fish_lines(table, row);
  return text;
}

// The completion file for bash, zsh or fish. No value for other shells.
std::optional<std::string> completion(const std::vector<CommandRow>& table,
                                      std::string_view shell) {
  if (shell == "bash") return bash_completion(table);
  if (shell == "zsh") return zsh_completion(table);
  if (shell == "fish") return fish_completion(table);
  return std::nullopt;
}

// The manual page, written from the command table.

// Escapes text for roff.
std::string roff(std::string_view text) {
  std::string plain = replace_all(replace_all(std::string(text), "\\", "\\e"), "-", "\\-");
  if (plain.starts_with('.') || plain.starts_with('\'')) plain.insert(0, "\\&");
  return plain;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// An operand in a usage line: "[FILE]...".
std::string usage_of(const ArgumentRow& operand) {
  std::string text = italic(operand.name) + (operand.many ? "..." : "");
  return operand.required ? text : "[" + text + "]";
}

void add_argument(const ArgumentRow& row, std::string& page) {
  const bool option = row.name.starts_with("--");
  page += ".TP\n" + (option ? bold(row.name) : italic(row.name));
  if (option && !row.value.empty()) {
    page += ' ';
    page += row.choices.empty() ? italic(row.value) : roff(join(row.choices, "|"));
  }
  page += '\n' + roff(row.about) + ".\n";
}

void add_command(const CommandRow& row, std::string& page) {
  page += ".SS \"" + bold("primer " + row.words);
  for (const auto& operand : row.operands) page += ' ' + usage_of(operand);
  page += " [" + italic("option") + "]...\"\n" + roff(row.about) + ".\n";
  for (const auto& operand : row.operands) add_argument(operand, page);
  for (const auto& option : row.options) add_argument(option, page);
}

constexpr std::string_view opening = R"(.SH SYNOPSIS
.B primer
.I command
.RI [ option ]...
.SH DESCRIPTION
.B primer
makes a web book of Markdown chapters whose numbers have sources, whose figures are drawn at build time and again from what a
reader's own machine measures, and whose links and numbers the build checks.
A book is a directory that holds
.IR chapters/book.yaml ;
commands find it from any directory below.
Begin with
.BR "primer new book notes" ,
then
.B "cd notes && primer serve"
and open the address that it prints.
)";

constexpr std::string_view closing = R"(.SH EXIT STATUS
0 when nothing is wrong, warnings included; 1 when something is, which is printed; another one when the command line is not understood.
.SH ENVIRONMENT
.TP
.B PATH
Where
.B node
(for formulas and what
.B primer publish
needs of it) and
.B git
(for dates, with
.BR \-\-trust )
are looked for.
.TP
.BR CHROME ", " CHROME_SHELL
The Chromium that
.B primer publish \-\-renditions
makes the PDF and pictures with.
.TP
.BR XDG_CACHE_HOME ", " XDG_STATE_HOME
Where builds keep what they know for the next one.
.SH FILES
.TP
.I chapters/book.yaml
What a book says of itself, and its chapters in their order.
.TP
.I share/under\-the\-roofline
Beside the
.I bin
of the program: templates, styles, scripts, fonts and WebAssembly modules. The two can be moved together.
)";

// primer(1) in man macros.
std::string manual_page(const std::vector<CommandRow>& table, std::string_view version) {
  std::string page = ".TH PRIMER 1 \"\" \"primer " + roff(version) + "\" \"User Commands\"\n";
  page += ".SH NAME\nprimer \\- make a book of Markdown chapters with live measurements\n";
  page += opening;
  page += ".SH OPTIONS\n";
  for (const auto& option : table.front().options) add_argument(option, page);
  page += ".SH COMMANDS\n";
  for (const auto& row : table)
    if (row.below.empty()) add_command(row, page);
  return page.append(closing);
}

}  // namespace

int run(const ManualCommand& command) {
  if (!enter(reading({}), command.no_sandbox)) return 1;
  std::cout << manual_page(command.table, command.version);
  return 0;
}

int run(const CompletionCommand& command) {
  if (!enter(reading({}), command.no_sandbox)) return 1;
  const auto text = completion(command.table, command.shell);
  if (text) std::cout << *text;
  return text ? 0 : 1;
}

namespace {
constexpr std::string_view option_groups[] = {"Book and output", "Fact",   "Measurement",
                                              "Addresses",       "Checks", "Parts of the site",
                                              "Output",          "Process"};

// "primer translate stamp"
std::string command_words(const CLI::App& app) {
  const auto* above = app.get_parent();
  return above ? command_words(*above) + ' ' + app.get_name() : "primer";
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// "--book DIR", "-h, --help", "files FILE ..."
std::string label_of(const ArgumentRow& row) {
  return row.short_names + row.name + (row.value.empty() ? "" : ' ' + row.value) +
         (row.many ? " ..." : "");
}

std::string operand_of(const ArgumentRow& operand) {
  const std::string text = operand.name + (operand.many ? "..." : "");
  return operand.required ? text : '[' + text + ']';
}

struct HelpLine {
  std::string label, about;
};

struct HelpSection {
  std::string title;
  std::vector<HelpLine> lines;
};

HelpSection& section_of(std::vector<HelpSection>& sections, std::string_view title) {
  const auto found = std::ranges::find(sections, title, &HelpSection::title);
  if (found != sections.end()) return *found;
  return sections.emplace_back(HelpSection{std::string(title), {}});
}

// In the order of the help; sections may be empty.
std::vector<HelpSection> help_sections(const CLI::App& app, const CommandRow& row) {
  std::vector<HelpSection> sections{{"Arguments", {}}};
  for (const auto group : option_groups) sections.push_back({std::string(group), {}});
  for (const auto& operand : row.operands)
    sections.front().lines.push_back({label_of(operand), operand.about});
  std::vector<HelpLine> last;
  for (const auto& option : row.options) {
    const HelpLine line{label_of(option), option.about};
    if (option.name == "--help") last.push_back(line);
    else if (option.name == "--no-sandbox") last.insert(last.begin(), line);
    else section_of(sections, option.group).lines.push_back(line);
  }
  auto& end = section_of(sections, row.below.empty() ? "Process" : "Options").lines;
  end.insert(end.end(), last.begin(), last.end());
  for (const auto& name : row.below)
    section_of(sections, "Commands")
        .lines.push_back({name, app.get_subcommand(name)->get_description()});
  return sections;
}

bool report_unknown(const char* what, const std::string& word,
                    const std::vector<std::string>& names, const std::string& otherwise) {
  const std::string like = nearest(word, names);
  std::cerr << "primer: error: unknown " << what << ' ' << in_quotes(visible(word)) << "\n  "
            << (like.empty() ? otherwise : "did you mean " + in_quotes(like) + '?') << '\n';
  return false;
}

bool report_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return report_unknown("option", word, names, "see " + command_words(app) + " --help");
}

std::string command_list(const std::vector<std::string>& names) {
  return "expected one of " + join(names, ", ");
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const CommandRow row = command_row(*app, "");
  std::string text = "Usage: " + command_words(*app);
  text += row.below.empty() ? " [options]" : " command";
  for (const auto& operand : row.operands) text += ' ' + operand_of(operand);
  text += "\n\n" + row.about + ".\n";
  const auto sections = help_sections(*app, row);
  std::size_t width = 0;
  for (const auto& section : sections)
    for (const auto& line : section.lines) width = std::max(width, line.label.size());
  for (const auto& section : sections) {
    if (section.lines.empty()) continue;
    text += '\n' + section.title + ":\n";
    for (const auto& line : section.lines)
      text +=
          "  " + line.label + std::string(width + 2 - line.label.size(), ' ') + line.about + '\n';
  }
  return text;
}

bool knows_words(const CLI::App& app, const std::vector<std::string>& given) {
  const CLI::App* at = &app;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (word == "--") return true;
    if (word.size() > 1 && word.front() == '-') {
      const std::string name = word.substr(0, word.find('='));
      const auto* option = at->get_option_no_throw(name);
      if (!option) return report_option(*at, name);
      if (option->check_lname("help") || option->check_lname("version")) return true;
      if (takes_value(*option) && name.size() == word.size()) ++i;
      continue;
    }
    const auto commands = subcommands_of(*at);
    if (commands.empty()) continue;
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    const auto names = command_row(*at, "").below;
    if (found == commands.end()) return report_unknown("command", word, names, command_list(names));
    at = *found;
  }
  const auto commands = subcommands_of(*at);
  if (commands.empty()) return true;
  std::cerr << "primer: error: missing command after " << in_quotes(command_words(*at)) << "\n  "
            << command_list(command_row(*at, "").below) << '\n';
  return false;
}

}  // namespace primer
