#include "generator/cli/completion.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

std::string in_shell(std::string_view text) {  // in these three shells
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::string in_fish(std::string_view text) {
  return "'" + replace_all(replace_all(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
}

// What zsh takes for text between [ and ], and before a colon.
std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replace_all(std::move(text), special, std::string("\\") + special);
  return text;
}

bool is_directory(const ArgumentRow& row) { return row.value == "DIR"; }
bool is_file(const ArgumentRow& row) { return row.value == "FILE"; }

// "/build", "/new", "new/book": a word that is a command after those before it.
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

}  // namespace

std::optional<std::string> completion(const std::vector<CommandRow>& table,
                                      std::string_view shell) {
  if (shell == "bash") return bash_completion(table);
  if (shell == "zsh") return zsh_completion(table);
  if (shell == "fish") return fish_completion(table);
  return std::nullopt;
}

}  // namespace primer
