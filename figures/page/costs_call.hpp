// The interface between /your-model/ and figures/costs: one JSON object in, one out.
//
//   members of the request                             members of the answer
//   config    the text of a config.json                problem, or
//   settings  {training, batch, tokens, weights, …}    notes, summary, rows, batches, fits
//   machines  [[name, peak, bandwidth, memory, count]]
//   chips     the same, for the table of chips
//
// A sentence is one text: "{n} billion¦n=8.03". Rows are ["section", title], ["line", label, value,
// share, source, "sum" or ""] and ["step", formula, values]. Grids have their columns first.
#pragma once

#include <string>
#include <string_view>

#include "figures/costs/bill.hpp"
#include "figures/page/request.hpp"

namespace figures {

// Clamps numbers, since a link may have any.
costs::Settings read_settings(const nlohmann::json& settings);
// Never fails: an error is an answer, too.
std::string costs_call(std::string_view request);

}  // namespace figures
