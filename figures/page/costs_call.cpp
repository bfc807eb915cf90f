#include "figures/page/costs_call.hpp"

#include <algorithm>

#include "figures/base/decimal_text.hpp"
#include "figures/costs/config.hpp"
#include "figures/costs/roofline.hpp"
#include "figures/costs/tables.hpp"

namespace figures {
namespace {

using nlohmann::json;

constexpr std::string_view mark = "¦";
constexpr std::size_t most_machines = 64;

std::string encoded(const costs::Sentence& sentence) {
  std::string out(sentence.text);
  for (const auto& [key, value] : sentence.values) {
    out.append(mark).append(key).append("=");
    for (std::size_t at = 0; at < value.size();) {
      const bool is_mark = std::string_view(value).substr(at).starts_with(mark);
      out += is_mark ? std::string_view("|") : std::string_view(value).substr(at, 1);
      at += is_mark ? mark.size() : 1;
    }
  }
  return out;
}

std::vector<costs::Machine> read_machines(const json& list) {
  std::vector<costs::Machine> out;
  if (!list.is_array()) return out;
  for (const json& row : list) {
    if (!row.is_array() || row.size() < 5 || out.size() >= most_machines) continue;
    const auto text_at = [&](std::size_t i) {
      const std::string* text = i < row.size() ? row[i].get_ptr<const std::string*>() : nullptr;
      return text != nullptr ? *text : std::string();
    };
    const auto number_at = [&](std::size_t i) {
      const double value = row[i].is_number() ? row[i].get<double>() : 0;
      return value >= 0 && value <= 1e21 ? value : 0;
    };
    const costs::Machine machine{costs::plain(text_at(0)),
                                 number_at(1),
                                 number_at(2),
                                 number_at(3),
                                 number_at(4),
                                 text_at(5)};
    if (machine.peak > 0 && machine.bandwidth > 0) out.push_back(machine);
  }
  return out;
}

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::vector<costs::Section>& sections) {
  Rows rows;
  for (const costs::Section& section : sections) {
    rows.push_back({"section", encoded(section.title)});
    for (const costs::Line& line : section.lines) {
      rows.push_back({"line", encoded(line.label), encoded(line.value), write_fixed(line.share, 4),
                      std::string(line.source), line.is_sum ? "sum" : ""});
      for (const costs::Step& step : line.steps)
        rows.push_back({"step", std::string(step.formula), step.filled});
    }
  }
  return rows;
}

Rows rows_of(const costs::Grid& grid) {
  Rows rows(1);
  for (const std::string_view column : grid.columns) rows.front().emplace_back(column);
  for (const auto& cells : grid.rows) {
    rows.emplace_back();
    for (const costs::Sentence& cell : cells) rows.back().push_back(encoded(cell));
  }
  return rows;
}

Result<Reply> costs_answer(std::string_view request) {
  const Result<json> object = parse_request(request);
  if (!object) return object.error();
  const costs::Reading reading = costs::read_config(text(*object, "config"));
  if (reading.problem) return Reply().text("problem", encoded(*reading.problem));
  const costs::Settings settings = read_settings(member(*object, "settings"));
  std::vector<costs::Machine> machines = read_machines(member(*object, "machines"));
  std::vector<costs::Machine> chips = read_machines(member(*object, "chips"));
  std::erase_if(chips, [](const costs::Machine& chip) { return !(chip.memory > 0); });
  if (machines.empty()) return Error{"there is no machine"};
  std::vector<std::string> notes;
  for (const costs::Sentence& note : reading.network.notes) notes.push_back(encoded(note));
  if (reading.network.longest > 0 && settings.tokens > reading.network.longest)
    notes.push_back(encoded({"The file allows at most {n} tokens per sequence.",
                             {{"n", group_thousands(write_whole(reading.network.longest))}}}));
  Reply reply;
  std::vector<costs::Section> sections = costs::bill(reading.network, settings, machines);
  sections.push_back(costs::roofline_section(reading.network, settings, machines.front()));
  reply.texts("notes", notes)
      .text("summary", encoded(costs::summary(reading.network, settings, machines.front())))
      .rows("rows", rows_of(sections))
      .text("roofline", costs::roofline_spec(reading.network, settings, machines))
      .rows("floors", rows_of(costs::floors(reading.network, settings, machines)))
      .rows("fits", rows_of(costs::fits(reading.network, settings, chips)));
  if (!settings.is_training)
    reply.rows("batches", rows_of(costs::batches(reading.network, settings, machines.front())));
  return reply;
}

}  // namespace

costs::Settings read_settings(const json& settings) {
  const auto clamped = [&](const char* name, double otherwise, double low, double high) {
    const double value = number(settings, name, otherwise);
    return value >= low ? std::min(value, high) : low;
  };
  const auto whole = [](double value) {
    return static_cast<double>(static_cast<long long>(value));
  };
  costs::Settings out;
  out.is_training = number(settings, "training") == 1;
  out.batch = whole(clamped("batch", out.batch, 1, 65'536));
  out.tokens = whole(clamped("tokens", out.tokens, 1, 16'777'216));
  out.weight_bits = clamped("weights", out.weight_bits, 0, 64);
  out.cache_bits = clamped("cache", out.cache_bits, 1, 64);
  out.recomputes = number(settings, "recompute", 1) == 1;
  out.gradient_bytes = clamped("gradients", out.gradient_bytes, 1, 8);
  out.usable = clamped("usable", out.usable, 0.1, 1);
  out.chunk = whole(clamped("chunk", out.chunk, 1, 1'000'000));
  return out;
}

std::string costs_call(std::string_view request) { return reply_text(costs_answer(request)); }

}  // namespace figures
