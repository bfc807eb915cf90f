#include "figures/costs/roofline.hpp"

#include "figures/base/decimal_text.hpp"

namespace figures::costs {
namespace {

// The name without what would end a string of JSON.
std::string in_json(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' ') out += c;
  return '"' + out + '"';
}

std::string name_of(const Machine& machine) {
  return machine.name.values.empty() ? std::string(machine.name.text)
                                     : machine.name.values.front().second;
}

std::string in_unit(double value, std::string_view unit) {
  return '"' + write_significant(value, 6) + ' ' + std::string(unit) + '"';
}

Step traffic_step(const Network& network, const Settings& settings, const Work& work) {
  const double count = parameters(network).total();
  const double each = training_traffic(settings.recomputes, settings.gradient_bytes);
  return {"bytes: parameters × bytes moved per parameter, and activations written and read",
          whole_text(count) + " × " + write_significant(each, 3) + " B + " +
              with_prefix(work.bytes - count * each, "B")};
}

}  // namespace

std::vector<Task> tasks(const Network& network, const Settings& settings, const Machine& machine) {
  const Precision precision = precision_of(network, settings);
  std::vector<Task> out = {
      {"Decode, one step", "decode",
       decode_step(network, precision, settings.batch, settings.tokens)},
      {"Prefill of the prompts", "prefill",
       prompt_work(network, precision, settings.batch, settings.tokens)},
      {"Training, one step", "training", training_work(network, settings), true},
  };
  for (Task& task : out) {
    Settings now = settings;
    now.is_training = task.trains;
    task.chips = machine.count > 0 ? machine.count : chips_needed(network, now, machine.memory);
  }
  return out;
}

double floor_of(const Task& task, const Machine& machine) {
  return shortest(task.work, task.chips * machine.bandwidth, task.chips * machine.peak);
}

Section roofline_section(const Network& network, const Settings& settings, const Machine& machine) {
  Section out{"roofline", {"FLOPs per byte, and the floor on {chip}"}, {}};
  out.title.values = {{"chip", name_of(machine)}};
  for (const Task& task : tasks(network, settings, machine)) {
    const Work& work = task.work;
    const std::string time = time_text(floor_of(task, machine));
    Sentence value{"{n} FLOP/B, at least {time}",
                   {{"n", rounded(task.intensity())}, {"time", time}}};
    if (task.chips > 1) {
      value.text = "{n} FLOP/B, at least {time} on {chips} chips";
      value.values.emplace_back("chips", whole_text(task.chips));
    }
    std::vector<Step> steps = {
        {"FLOPs per byte = FLOPs / bytes", with_prefix(work.flops, "FLOP") + " / " +
                                               with_prefix(work.bytes, "B") + " = " +
                                               rounded(task.intensity()) + " FLOP/B"}};
    if (task.trains) steps.push_back(traffic_step(network, settings, work));
    steps.push_back(larger_of(work, task.chips * machine.bandwidth, task.chips * machine.peak));
    out.lines.push_back({{task.label}, std::move(value), 0, std::move(steps), "williams2009"});
  }
  return out;
}

std::string roofline_spec(const Network& network, const Settings& settings,
                          std::span<const Machine> machines) {
  std::string roofs, points;
  for (const Machine& machine : machines)
    roofs += std::string(roofs.empty() ? "" : ",") +
             "{\"label\":" + in_json(machine.label.empty() ? name_of(machine) : machine.label) +
             ",\"role\":" + (roofs.empty() ? "\"subject\"" : "\"context\"") +
             ",\"peak\":" + in_unit(machine.peak, "FLOP/s") +
             ",\"bandwidth\":" + in_unit(machine.bandwidth, "B/s") + '}';
  for (const Task& task : tasks(network, settings, machines.front()))
    points += std::string(points.empty() ? "" : ",") + "{\"label\":" + in_json(task.point) +
              ",\"intensity\":" + in_unit(task.intensity(), "FLOP/B") + '}';
  return "{\"kind\":\"roofline\",\"title\":\"Decode, prefill and training on one roofline\","
         "\"base\":10,\"machines\":[" +
         roofs + "],\"points\":[" + points + "]}";
}

}  // namespace figures::costs
