#include "generator/cli/manual.hpp"

#include "generator/base/text.hpp"

namespace primer {
namespace {

// Text in which roff sees no command.
std::string roff(std::string_view text) {
  std::string plain = replace_all(replace_all(std::string(text), "\\", "\\e"), "-", "\\-");
  if (plain.starts_with('.') || plain.starts_with('\'')) plain.insert(0, "\\&");
  return plain;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// "[FILE]..." as it is called in a line that shows how.
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

}  // namespace

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

}  // namespace primer
