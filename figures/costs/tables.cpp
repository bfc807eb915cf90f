#include "figures/costs/tables.hpp"

#include "figures/base/decimal_text.hpp"
#include "figures/costs/roofline.hpp"

namespace figures::costs {

Grid floors(const Network& network, const Settings& settings, std::span<const Machine> machines) {
  Grid out{{"Machine", "Decode step", "Prefill", "Training step"}, {}};
  for (const Machine& machine : machines) {
    std::vector<Sentence> cells = {machine.name};
    for (const Task& task : tasks(network, settings, machine)) {
      const std::string time = time_text(floor_of(task, machine));
      cells.push_back(task.chips > 1 ? Sentence{"{time} on {chips} chips",
                                                {{"time", time}, {"chips", whole_text(task.chips)}}}
                                     : plain(time));
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

Grid batches(const Network& network, const Settings& settings, const Machine& machine) {
  Grid out{{"Sequences", "Step, at least", "Tokens per second, at most", "Limit", "Memory"}, {}};
  const Precision precision = precision_of(network, settings);
  Settings now = settings;
  double count = machine.count;
  if (count == 0) count = chips_needed(network, settings, machine.memory);
  const double peak = count * machine.peak, bandwidth = count * machine.bandwidth;
  for (double batch = 1; batch <= 1024; batch *= 4) {
    now.batch = batch;
    const Work step = decode_step(network, precision, batch, settings.tokens);
    const double time = shortest(step, bandwidth, peak), memory = memory_bytes(network, now);
    const bool is_over = machine.memory > 0 && memory > settings.usable * count * machine.memory;
    const bool is_memory = step.bytes / bandwidth >= step.flops / peak;
    out.rows.push_back({plain(whole_text(batch)),
                        plain(time_text(time)),
                        plain(rounded(batch / time)),
                        {is_memory ? std::string_view("memory") : "compute"},
                        is_over
                            ? Sentence{"{size}, does not fit", {{"size", with_prefix(memory, "B")}}}
                            : plain(with_prefix(memory, "B"))});
  }
  return out;
}

Grid fits(const Network& network, const Settings& settings, std::span<const Machine> machines) {
  const bool trains = settings.is_training;
  Grid out{{"Chip", "Memory", "Chips needed", trains ? "Training step, at least" : "Step, at least",
            "Tokens per second, at most"},
           {}};
  const Precision precision = precision_of(network, settings);
  for (const Machine& machine : machines) {
    const double count = chips_needed(network, settings, machine.memory);
    const double peak = count * machine.peak, bandwidth = count * machine.bandwidth;
    double time = 0, tokens = settings.batch;
    if (trains) {
      tokens *= settings.tokens;
      time = shortest(training_work(network, settings), bandwidth, peak);
    } else {
      time = shortest(decode_step(network, precision, settings.batch, settings.tokens), bandwidth,
                      peak);
    }
    out.rows.push_back({machine.name, memory_text(machine.memory), plain(whole_text(count)),
                        plain(time_text(time)), plain(rounded(tokens / time))});
  }
  return out;
}

}  // namespace figures::costs
