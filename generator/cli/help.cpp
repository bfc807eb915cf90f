#include "generator/cli/help.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "generator/cli/manual_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
constexpr std::string_view option_groups[] = {"Book and output",   "Fact",   "Addresses", "Checks",
                                              "Parts of the site", "Output", "Process"};

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
