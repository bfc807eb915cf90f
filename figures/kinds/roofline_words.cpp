// Describes a roofline for readers who cannot see it: first the finding, then its numbers.
#include "figures/kinds/roofline.hpp"

namespace figures {
namespace {

std::string rate_text(const RoofLine& ceiling) {
  return quantity_text(ceiling.value, ceiling.ops ? Meaning::op_rate : Meaning::flop_rate);
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

// The share that the figure shows: of the ceiling, or of what the roof allows at this intensity.
std::string share_text(const Roofline& roofline, const Mark& mark) {
  const bool roof = roofline.said == Roofline::Said::share_of_roof;
  return quantity_text(roof ? mark.of_roof() : mark.rate / mark.ceiling, Meaning::percent, 2);
}

std::string mark_text(const Roofline& roofline, const Mark& mark) {
  const bool roof = roofline.said == Roofline::Said::share_of_roof;
  return mark.label + " (" + quantity_text(mark.intensity, roofline.intensity()) + ", " +
         quantity_text(mark.rate, roofline.rate()) + ", " + share_text(roofline, mark) +
         (roof ? " of its roof)" : " of the ceiling)");
}

std::string sides_text(const Roofline& roofline, Role role) {
  std::vector<std::string> bytes, arithmetic;
  for (const Mark& mark : roofline.marks)
    if (mark.role == role)
      (mark.intensity < mark.ridge ? bytes : arithmetic).push_back(mark_text(roofline, mark));
  std::string text;
  if (!bytes.empty()) text += " Left of the ridge, memory-bound: " + joined(bytes) + ".";
  if (!arithmetic.empty()) text += " Right of it, compute-bound: " + joined(arithmetic) + ".";
  return text;
}

std::string machine_text(const Roofline& roofline, const Machine& machine) {
  std::string text = machine.name.empty() ? "The machine" : machine.name;
  if (text == reference_name) text = "The reference machine";
  if (text == reader_name) text = "Your machine";
  if (text == gpu_name) text = "Your GPU";
  text += " reaches " + rate_text(machine.ceilings.front()) + " and reads " +
          quantity_text(machine.slopes.front().value, Meaning::byte_rate) +
          "; the two meet at its ridge, " + quantity_text(machine.ridge(), roofline.intensity()) +
          ".";
  return text;
}

}  // namespace

std::string describe_roofline(const Roofline& roofline) {
  if (!roofline.description.empty()) return roofline.description;
  const Machine* subject = roofline.subject();
  if (roofline.machines.empty()) return "An empty roofline: no machine has been measured yet.";
  std::string text;
  if (subject != nullptr)
    text = machine_text(roofline, *subject) + sides_text(roofline, subject->role);
  for (const Machine& machine : roofline.machines) {
    if (&machine == subject) continue;
    if (!text.empty()) text += ' ';
    text += machine_text(roofline, machine);
  }
  return text;
}

Table tabulate_roofline(const Roofline& roofline) {
  const bool roof = roofline.said == Roofline::Said::share_of_roof;
  Table table;
  table.head({"", roofline.ops ? "Operations per byte" : "FLOPs per byte", "Rate",
              roof ? "Share of its roof" : "Share of ceiling"});
  const bool several = roofline.machines.size() > 1;
  for (const Machine& machine : roofline.machines) {
    const std::string whose = several && !machine.name.empty() ? machine.name + ": " : "";
    for (const RoofLine& slope : machine.slopes) {
      const std::string name = slope.name.empty() ? "bandwidth" : "bandwidth, " + slope.name;
      table.add({whose + name, "", quantity_text(slope.value, Meaning::byte_rate), ""});
    }
    for (const RoofLine& ceiling : machine.ceilings) {
      const std::string name = ceiling.name.empty() ? "ceiling" : "ceiling, " + ceiling.name;
      table.add({whose + name, "", rate_text(ceiling), ""});
    }
    table.add({whose + "ridge", quantity_text(machine.ridge(), roofline.intensity()), "", ""});
  }
  for (const Mark& mark : roofline.marks) {
    const bool other = mark.role == Role::context;
    table.add({mark.label + (other ? " (reference machine)" : ""),
               quantity_text(mark.intensity, roofline.intensity()),
               quantity_text(mark.rate, roofline.rate()), share_text(roofline, mark)});
  }
  for (const std::string& label : roofline.absent) table.add({label, "", "not measured", ""});
  return table;
}

}  // namespace figures
