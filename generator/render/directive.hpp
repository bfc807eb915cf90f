// The book's own fenced blocks: YAML in, HTML and page data out. One file each.
#pragma once

#include "figures/draw/rendering.hpp"
#include "figures/quantities/counting.hpp"
#include "generator/render/emitter.hpp"

namespace primer {

struct Block {
  std::string name;  // "figure"
  const Node& node;
  const Yaml& yaml;
  const Anchor* anchor;  // null when the block has no usable id
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

// Opens a question's section, which the caller closes: its label and what it asks. Scripts show `unit` beside the
// field for the answer; empty: there is no such field, or the answer is a bare number.
void begin_question(Emitter& emitter, const Block& block, const Record& record,
                    const std::string& unit);
// Opens the folded answer of that question, which the caller closes.
void begin_answer(Emitter& emitter, const Block& block, std::string_view summary);

// Ordinary code: ```cpp marks=3-5
void code_block(Emitter& emitter, const Node& node);
// Lines of code as <pre>, highlighted when the language can be; lines in `marks` stand out. `offset` is where the code is
// asked for, for warnings.
void emit_code(Emitter& emitter, std::size_t offset, const std::string& language,
               const std::string& code, const std::set<int>& marks);

// The language of drawings: the page's where its words have those of drawings, else the original's.
const std::string& drawing_language(const Emitter& emitter);
// Warns of each form that a drawing asked for in vain, once, at the block's `at`.
void report_unsaid(Emitter& emitter, const Yaml& at, const std::vector<std::string>& unsaid);
// The data under a figure, folded, in a frame that scrolls by itself; `name` is the figure's, "Figure
// 3.4", `language` that of the headings, where it is not the page's.
void emit_data_table(Html& out, const figures::Table& table, const Messages& words,
                     const std::string& name, const std::string& language);

// Links and images: link.cpp; links that are numbers: value_link.cpp.
void emit_link(Emitter& emitter, const Node& node);
void emit_image(Emitter& emitter, const Node& node);
// Whether nothing stands directly beside a link that is a number, so that it is read as it was checked: a digit, a
// letter, a sign or code would make another number of it. Reports what does.
bool stands_alone(Emitter& emitter, const Node& node);
void fact_link(Emitter& emitter, const Node& node, std::string_view id);
void calc_link(Emitter& emitter, const Node& node, std::string_view expression);
void live_link(Emitter& emitter, const Node& node, std::string_view expression);
void claim_link(Emitter& emitter, const Node& node, std::string_view id);

// What a name's value counts: of a fact what its unit says, of others nothing (figures/quantities/counting.hpp).
figures::Counting counting_of_fact(const figures::Facts& facts, const figures::Name& name);
// Of the claims that an expression uses the one that most needs to be said (figures/quantities/facts.hpp); null: none.
const figures::Fact* most_cautious(const figures::Facts& facts,
                                   const std::vector<figures::Name>& names);
// "announced 2026-03, second hand", in a grey frame when it is old.
void claim_badge(Emitter& emitter, const figures::Fact& claim);

// "64 MiB", "512": a kernel's parameter as a person would write it.
std::string spelled_parameter(double value, bool bytes);

// A kernel with its arguments in one spelling: "matmul.packed{n=512}".
std::string run_key(const figures::Name& name);

// Below an error that was just reported because something is not measured: what is, of the names
// that the expression uses. Nothing for an error with another cause.
void hint_of_measured(Emitter& emitter, const figures::Expression& expression,
                      const figures::Error& error);

// Where an image of chapters/ lies on the site.
std::string published_image(std::string_view file);

// The same of a file that is offered for download.
std::string published_download(std::string_view file);

// The tooltip of a fact: what it is, its value where the text shows it otherwise, how sure, from where.
Tip fact_tip(const Emitter& emitter, const figures::Fact& fact, std::string_view shown);

// An expression for readers: "989 TFLOP/s / 3.35 TB/s, of NVIDIA H100 SXM" of one with facts' names.
std::string computation_in_words(const figures::Facts& facts, std::string_view expression,
                                 const Messages& words);

}  // namespace primer
