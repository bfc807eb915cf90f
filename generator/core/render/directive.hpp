// The book's fenced blocks and its links. Each block is one function that takes YAML and writes
// HTML and page data; blocks/ holds them. An error is reported and the block left out.
#pragma once

#include "figures/draw/rendering.hpp"
#include "figures/quantities/counting.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {

struct Block {
  std::string name;  // "figure"
  const Node& node;
  const Yaml& yaml;
  const Anchor* anchor;  // null if the block has no usable id
};

void figure_block(Emitter& emitter, const Block& block);
void model_block(Emitter& emitter, const Block& block);
void bench_block(Emitter& emitter, const Block& block);
void worked_block(Emitter& emitter, const Block& block);
void verdict_block(Emitter& emitter, const Block& block);
void listing_block(Emitter& emitter, const Block& block);
void quiz_block(Emitter& emitter, const Block& block);
void predict_block(Emitter& emitter, const Block& block);
void glossary_block(Emitter& emitter, const Block& block);
void problems_block(Emitter& emitter, const Block& block);
void costs_block(Emitter& emitter, const Block& block);

// Opens the section of a question with its label and text; the caller closes it. Scripts show
// `unit` next to the input field. Empty: no such field, or the answer has no unit.
void begin_question(Emitter& emitter, const Block& block, const Record& record,
                    const std::string& unit);
// Opens the folded answer of the question; the caller closes it.
void begin_answer(Emitter& emitter, const Block& block, std::string_view summary);

// Writes the line in which scripts count solved problems (site/runtime/questions/score.js).
void write_score(Html& out, const Messages& words, std::size_t count);

// Ordinary code, for example ```cpp marks=3-5
void code_block(Emitter& emitter, const Node& node);
// Writes code as <pre>, highlighted if the language is known. Lines in `marks` stand out (1 is the
// first). `offset` is the position of the block, for warnings.
void emit_code(Emitter& emitter, std::size_t offset, const std::string& language,
               const std::string& code, const std::set<int>& marks);

// Language of drawings: the page's if its locale has strings for figures, otherwise the original's.
const std::string& drawing_language(const Emitter& emitter);
// The options of a drawing in the page: of that width, in that language.
figures::Options drawing_options(const Emitter& emitter, figures::Layout width);
// Warns at `at` about strings of a drawing without a translation, once per string.
void report_unsaid(Emitter& emitter, const Yaml& at, const std::vector<std::string>& unsaid);
// Writes the data of a figure as a folded table that scrolls by itself. `name` is the figure's
// ("Figure 3.4"), `language` that of the column headings, or "" if it is the page's.
void emit_data_table(Html& out, const figures::Table& table, const Messages& words,
                     const std::string& name, const std::string& language);

// Links and images are in link.cpp, links that are numbers in value_link.cpp.
void emit_link(Emitter& emitter, const Node& node);
void emit_image(Emitter& emitter, const Node& node);
// Whether the text around a number link leaves its value unchanged. A digit, letter, sign or markup
// next to it could make it another number. Reports what does.
bool stands_alone(Emitter& emitter, const Node& node);
void fact_link(Emitter& emitter, const Node& node, std::string_view id);
void calc_link(Emitter& emitter, const Node& node, std::string_view expression);
void live_link(Emitter& emitter, const Node& node, std::string_view expression);
void claim_link(Emitter& emitter, const Node& node, std::string_view id);

// What a fact counts according to its unit (tokens, chips, FLOP); nothing for other names
// (figures/quantities/counting.hpp).
figures::Counting counting_of_fact(const figures::Facts& facts, const figures::Name& name);
// The claim in an expression that most needs a caution (figures/quantities/facts.hpp), or null.
const figures::Fact* most_cautious(const figures::Facts& facts,
                                   const std::vector<figures::Name>& names);
// Writes for example "announced 2026-03, second hand", with a gray frame if the claim is old.
void claim_badge(Emitter& emitter, const figures::Fact& claim);

// The value of a kernel's parameter for readers: "64 MiB", "512".
std::string spelled_parameter(double value, bool bytes);

// Canonical form of a kernel with its arguments: "matmul.packed{n=512}".
std::string run_key(const figures::Name& name);

// If the error that was just reported is a missing measurement, adds a note that lists what was
// measured of the names in the expression.
void hint_of_measured(Emitter& emitter, const figures::Expression& expression,
                      const figures::Error& error);

// Address on the site of an image in chapters/.
std::string published_image(std::string_view file);

// Address on the site of a file that is offered for download.
std::string published_download(std::string_view file);

// The tooltip of a fact: its title, its value unless `shown` is that, its status and sources.
Tip fact_tip(const Emitter& emitter, const figures::Fact& fact, std::string_view shown);

// Spells an expression for readers, with values for fact ids: "989 TFLOP/s / 3.35 TB/s, of NVIDIA
// H100 SXM".
std::string computation_in_words(const figures::Facts& facts, std::string_view expression,
                                 const Messages& words);

}  // namespace primer
