#include "generator/cli/command_table.hpp"

#include <CLI/CLI.hpp>

namespace primer {
namespace {

// The members of "TEXT:{text,json}", which is how CLI11 writes CLI::IsMember.
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
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) row.value = type.substr(0, type.find(':'));
  row.choices = choices_in(type);
  return row;
}

void add_rows(const CLI::App& app, const std::string& words, std::vector<CommandRow>& rows) {
  CommandRow row{words, app.get_description()};
  for (const auto* option : app.get_options())
    (option->get_positional() ? row.operands : row.options).push_back(row_of(*option));
  const auto below = app.get_subcommands([](const CLI::App*) { return true; });
  for (const auto* command : below) row.below.push_back(command->get_name());
  rows.push_back(std::move(row));
  for (const auto* command : below)
    add_rows(*command, words + (words.empty() ? "" : " ") + command->get_name(), rows);
}

}  // namespace

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> rows;
  add_rows(app, "", rows);
  return rows;
}

}  // namespace primer
