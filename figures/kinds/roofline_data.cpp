// Computes the contents of a roofline before anything is drawn: machines, points and ranges.
#include <algorithm>
#include <cmath>
#include <utility>

#include "figures/base/portable_math.hpp"
#include "figures/kinds/roofline.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/measured.hpp"

namespace figures {
namespace {

struct ProfileSpec {
  bool wanted = false, all_slopes = false, threads = false, innermost = false, slot = false;
  bool gpu = false;
  std::vector<std::string> ceilings;
};

ProfileSpec read_profile_spec(Fields& fields) {
  ProfileSpec spec;
  const nlohmann::json* value = fields.member("profile");
  if (value == nullptr) return spec;
  spec.wanted = !value->is_boolean() || value->get<bool>();
  if (value->is_boolean()) return spec;
  Fields inner(*value, "profile", fields.error());
  spec.all_slopes = inner.text("slopes", "main") == "all";
  spec.innermost = inner.text("level", "outermost") == "innermost";
  spec.ceilings = inner.texts("ceilings");
  spec.threads = inner.flag("threads", false);
  spec.slot = inner.flag("slot", false);
  spec.gpu = inner.flag("gpu", false);
  return spec;
}

RoofLine compute_line(const Roof& roof) {
  std::string name = isa_words(roof.isa);
  if (roof.threads > 1) name += ", " + fixed(roof.threads, 0) + " threads";
  return {name, roof.value * 1e9, roof.unit == "Gop/s"};
}

void add_ceilings(Machine& machine, const Profile& profile, const ProfileSpec& spec) {
  const Roof* main = highest_ceiling(profile);
  machine.ceilings.push_back(compute_line(*main));
  for (const std::string& isa : spec.ceilings) {
    const Roof* roof = profile.compute_roof(isa);
    if (roof != main && is_drawable(roof)) machine.ceilings.push_back(compute_line(*roof));
  }
  if (!spec.threads) return;
  const Roof* most = nullptr;
  for (const Roof& roof : profile.roofs) {
    if (roof.isa != main->isa || roof.device != main->device || roof.threads < 2) continue;
    if (most == nullptr || roof.threads > most->threads) most = &roof;
  }
  if (is_drawable(most)) machine.ceilings.push_back(compute_line(*most));
}

const Roof& main_memory(const Profile& profile, const ProfileSpec& spec) {
  const Roof* inner = spec.innermost ? profile.memory_roof(innermost_level(profile)) : nullptr;
  return is_drawable(inner) ? *inner : *profile.memory_roof("out");
}

// `profile` must have roofs: has_roofs().
Machine machine_of(const Profile& profile, const ProfileSpec& spec, Role role) {
  Machine machine;
  machine.name = profile.label();
  machine.role = role;
  const Roof& main = main_memory(profile, spec);
  machine.slopes.push_back({level_words(main.level), main.value * 1e9});
  if (spec.all_slopes) {
    for (const Level& level : profile.levels) {
      const Roof* roof = profile.memory_roof(level.name);
      if (is_drawable(roof) && roof != &main && machine.slopes.size() < 6)
        machine.slopes.push_back({level_words(level.name), roof->value * 1e9});
    }
  }
  add_ceilings(machine, profile, spec);
  return machine;
}

// `profile` must have GPU roofs: has_gpu_roofs().
Machine gpu_of(const Profile& profile) {
  Machine machine;
  machine.name = gpu_name;
  machine.role = Role::reader;
  machine.slopes.push_back({"", profile.gpu_roof("out")->value * 1e9});
  const Roof* main = profile.gpu_roof("f32");
  const Roof* other = profile.gpu_roof("f16");
  if (is_drawable(other) && other->value > main->value) std::swap(main, other);
  for (const Roof* roof : {main, other})
    if (is_drawable(roof))
      machine.ceilings.push_back({roof->type == "f16" ? "fp16" : "fp32", roof->value * 1e9});
  return machine;
}

class RooflineReader {
 public:
  RooflineReader(const nlohmann::json& spec, const Inputs& inputs)
      : fields_(spec, "", error_),
        inputs_(inputs),
        facts_({inputs.facts, nullptr, nullptr, nullptr}) {}

  Result<Roofline> read() {
    out_.title = fields_.text("title");
    out_.base = fields_.number("base", 2) == 10 ? 10 : 2;
    out_.ops = fields_.text("unit", "flop") == "op";
    out_.guess = fields_.flag("guess", false);
    read_shares();
    profile_ = read_profile_spec(fields_);
    fields_.each("machines", [&](Fields& one) { read_machine(one); });
    add_measured_machines();
    fields_.each("points", [&](Fields& one) { read_point(one); });
    read_range();
    if (error_) return *error_;
    back_to_front(out_.machines);
    back_to_front(out_.marks);
    return out_;
  }

 private:
  // Sorts by role: context, subjects, reader. Within a role, the order of the spec.
  template <class T>
  static void back_to_front(std::vector<T>& items) {
    std::vector<T> sorted;
    for (const Role role : {Role::context, Role::subject, Role::reader})
      for (T& item : items)
        if (item.role == role) sorted.push_back(std::move(item));
    items = std::move(sorted);
  }

  // "shares" is true for the share of the peak, or "roof" for the share of what the roof allows at
  // the point's intensity.
  void read_shares() {
    const nlohmann::json* value = fields_.member("shares");
    if (value == nullptr) return;
    const auto* text = value->get_ptr<const std::string*>();
    if (text != nullptr && *text == "roof") out_.said = Roofline::Said::share_of_roof;
    else if (value->is_boolean() && value->get<bool>()) out_.said = Roofline::Said::share_of_peak;
  }

  void read_machine(Fields& one) {
    Machine machine;
    machine.name = one.text("label");
    const bool context = one.text("role", "subject") == "context";
    machine.role = context ? Role::context : Role::subject;
    machine.ceilings.push_back({"", one.quantity("peak", facts_, flop_rate_dimension), out_.ops});
    machine.slopes.push_back({"", one.quantity("bandwidth", facts_, byte_rate_dimension)});
    if (error_) return;
    for (const double rate : {machine.ceilings[0].value, machine.slopes[0].value})
      if (!(rate > 1e3 && rate < 1e21))
        one.fail("", "peak and bandwidth lie between 10^3 and 10^21");
    out_.machines.push_back(std::move(machine));
  }

  bool with_gpu() const { return profile_.gpu && has_gpu_roofs(inputs_.reader); }
  bool with_reader() const { return has_roofs(inputs_.reader) && !with_gpu(); }

  void add_measured_machines() {
    if (!profile_.wanted || error_) return;
    if (with_gpu()) return out_.machines.push_back(gpu_of(*inputs_.reader));
    if (has_roofs(inputs_.reference)) {
      const Role role = with_reader() ? Role::context : Role::subject;
      ProfileSpec spec = profile_;
      if (with_reader()) spec = {true, false, false, profile_.innermost, false, false, {}};
      out_.machines.push_back(machine_of(*inputs_.reference, spec, role));
      out_.machines.back().dashed = profile_.slot && !with_reader();
      if (with_reader() || out_.machines.size() > 1) out_.machines.back().name = reference_name;
    }
    if (with_reader()) {
      out_.machines.push_back(machine_of(*inputs_.reader, profile_, Role::reader));
      out_.machines.back().name = reader_name;
    }
  }

  void read_point(Fields& one) {
    const std::string label = one.text("label");
    if (one.has("kernel")) return read_measured_point(one, label);
    Mark mark;
    mark.label = label;
    mark.intensity = one.quantity("intensity", facts_, intensity_dimension);
    if (one.has("rate")) mark.rate = one.quantity("rate", facts_, flop_rate_dimension);
    if (error_) return;
    if (!is_drawable_intensity(mark.intensity)) return one.fail("intensity", "is out of range");
    if (out_.machines.empty()) return out_.absent.push_back(label);
    const Machine& machine = out_.machines.front();
    bound(mark, machine.ceilings[0].value, machine.slopes[0].value);
    if (!(mark.rate > 0)) mark.rate = mark.ceiling * std::min(1.0, mark.intensity / mark.ridge);
    mark.role = machine.role == Role::context ? Role::subject : machine.role;
    out_.marks.push_back(mark);
  }

  static bool is_drawable_intensity(double intensity) {
    return intensity > 1e-6 && intensity < 1e9;
  }

  static void bound(Mark& mark, double peak, double bandwidth) {
    mark.ceiling = peak;
    mark.ridge = peak / bandwidth;
  }

  void read_measured_point(Fields& one, const std::string& label) {
    const MeasurementRef ref = read_measurement_ref(one);
    const double intensity =
        one.has("intensity") ? one.quantity("intensity", facts_, intensity_dimension) : 0;
    if (error_) return;
    if (is_gpu_kernel(ref.kernel)) return add_gpu_mark(ref, label);
    // The GPU has replaced the processor in this figure
    if (with_gpu()) return out_.absent.push_back(label);
    const bool reader = add_mark(inputs_.reader, ref, label, intensity, Role::reader);
    const Role other = with_reader() ? Role::context : Role::subject;
    const bool reference = add_mark(inputs_.reference, ref, label, intensity, other);
    if (!(with_reader() ? reader : reference)) out_.absent.push_back(label);
  }

  bool add_mark(const Profile* profile, const MeasurementRef& ref, const std::string& label,
                double intensity, Role role) {
    const Measurement* result = find_trusted(profile, ref);
    if (result == nullptr || !has_roofs(profile)) return false;
    const Roof* ceiling = highest_ceiling(*profile, result->threads);
    if (ceiling == nullptr) ceiling = highest_ceiling(*profile);
    return add_result(*result, label, intensity, role, *ceiling, main_memory(*profile, profile_));
  }

  // Kernels of a GPU need the GPU's roof, so they appear only if the figure shows the GPU.
  void add_gpu_mark(const MeasurementRef& ref, const std::string& label) {
    if (!with_gpu()) return;
    const Profile& reader = *inputs_.reader;
    const Measurement* result = find_trusted(&reader, ref);
    const bool half = std::string_view(ref.kernel).ends_with(".f16");
    const Roof* ceiling = reader.gpu_roof(half ? "f16" : "f32");
    if (!is_drawable(ceiling)) ceiling = reader.gpu_roof("f32");
    if (result == nullptr ||
        !add_result(*result, label, 0, Role::reader, *ceiling, *reader.gpu_roof("out")))
      out_.absent.push_back(label);
  }

  bool add_result(const Measurement& result, const std::string& label, double intensity, Role role,
                  const Roof& ceiling, const Roof& slope) {
    Mark mark{label, role, intensity, 0, 0, 0, 0};
    if (!(intensity > 0) && result.flops > 0 && result.bytes > 0)
      mark.intensity = result.flops / result.bytes;
    const double per_unit = result.unit == "GB/s" ? mark.intensity : 1;
    if (result.unit == "ns" || !is_drawable_intensity(mark.intensity)) return false;
    mark.rate = in_base_units(result, result.median) * per_unit;
    mark.spread = in_base_units(result, result.mad) * per_unit;
    if (!(mark.rate > 1) || !(mark.rate < 1e18)) return false;
    bound(mark, ceiling.value * 1e9, slope.value * 1e9);
    out_.marks.push_back(mark);
    return true;
  }

  // Includes every ridge and every point, with room for labels. A spec may only enlarge the range.
  void read_range() {
    double low = 1.0 / 4, high = 16, top = 0, bottom = 1e300;
    if (const nlohmann::json* range = fields_.member("x")) {
      const bool two = range->is_array() && range->size() == 2 && (*range)[0].is_number() &&
                       (*range)[1].is_number();
      if (two) low = (*range)[0].get<double>(), high = (*range)[1].get<double>();
      if (!two || !(low > 1e-6) || !(high > low * 2) || !(high < 1e9))
        return fields_.fail("x", "is not [low, high] in FLOP/B");
    }
    for (const Machine& machine : out_.machines) {
      low = std::min(low, machine.ridge() / 8);
      high = std::max(high, machine.ridge() * 8);
      for (const RoofLine& ceiling : machine.ceilings) top = std::max(top, ceiling.value);
    }
    for (const Mark& mark : out_.marks) {
      low = std::min(low, mark.intensity / 2);
      high = std::max(high, mark.intensity * 2);
      top = std::max(top, mark.rate);
      bottom = std::min(bottom, mark.rate / 3);
    }
    if (out_.machines.empty()) top = 1e12, bottom = 1e9;
    for (const Machine& machine : out_.machines)
      bottom = std::min({bottom, machine.ceilings[0].value / 30,
                         std::max(machine.slopes[0].value * low, machine.ceilings[0].value / 1e4)});
    out_.x_low = low;
    out_.x_high = high;
    out_.y_low = std::max(bottom, top / 1e9);
    // Room for two lines of text above the highest ceiling: an eighth of the decades shown.
    out_.y_high = top * std::max(3.0, std::sqrt(std::sqrt(std::sqrt(top / out_.y_low))));
  }

  std::optional<Error> error_;
  Fields fields_;
  const Inputs& inputs_;
  Names facts_;
  ProfileSpec profile_;
  Roofline out_;
};

}  // namespace

double Machine::steepest() const {
  double value = 0;
  for (const RoofLine& slope : slopes) value = std::max(value, slope.value);
  return value;
}

const Machine* Roofline::subject() const {
  const Machine* found = nullptr;
  for (const Machine& machine : machines)
    if (machine.role != Role::context && (found == nullptr || machine.role == Role::reader))
      found = &machine;
  return found;
}

Result<Roofline> read_roofline(const nlohmann::json& spec, const Inputs& inputs) {
  return RooflineReader(spec, inputs).read();
}

}  // namespace figures
