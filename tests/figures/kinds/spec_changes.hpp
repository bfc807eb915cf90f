// Figure specs with one mistake each, for tests of the checks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "figures/kinds/shapes.hpp"

namespace support {

using nlohmann::json;

inline bool has_shape(const json& spec) {
  const auto kind = spec.find("kind");
  if (kind == spec.end() || !kind->is_string()) return false;
  const figures::Shape* shape = figures::shape_of(kind->get<std::string>());
  return shape != nullptr && !figures::misshapen(spec, *shape);
}

// One value of each type, and values that are too large.
inline const std::vector<json>& others() {
  static const std::vector<json> values = {nullptr,
                                           true,
                                           false,
                                           3,
                                           "",
                                           "none such",
                                           json::array(),
                                           json{{"a", 1}},
                                           std::string(601, 'x'),
                                           std::string("\xc3\xa4") + std::string(599, 'x'),
                                           json::array({1, 2}),
                                           std::vector<json>(65, json::object())};
  return values;
}

// Replaces or removes each value of the document in turn, or adds an unknown member next to it. Of
// each list, only the first two items are changed.
template <class See>
void each_change(json& whole, json& part, const See& see) {
  if (part.is_object()) {
    part["no-such-member"] = 1;
    see(whole);
    part.erase("no-such-member");
  }
  if (!part.is_structured()) return;
  const json before = part;
  for (const auto& [name, value] : before.items()) {
    if (part.is_array() && std::stoul(name) > 1) break;
    if (part.is_object()) {
      part.erase(name);
      see(whole);
      part = before;
    }
    json& inner = part.is_object() ? part[name] : part[std::stoul(name)];
    for (const json& other : others()) {
      inner = other;
      see(whole);
    }
    inner = value;
    each_change(whole, inner, see);
  }
}

// Members that no spec of the book has, each with the members that it requires.
inline std::vector<json> further() {
  return {json::parse(R"({"kind": "lengths", "title": "t", "finding": "f", "x": {"title": "x"},
            "rows": [{"label": "a", "value": "1", "to": "2", "of": "3"}, {"label": "b", "factor": "2"}]})"),
          json::parse(R"({"kind": "split", "title": "t", "finding": "f", "scale": "time",
            "rows": [{"label": "a", "compute": "1 s", "memory": "1 s", "overlap": false}]})"),
          json::parse(R"({"kind": "bars", "title": "t", "parts": [{"label": "p"}],
            "bars": [{"label": "a", "flops": ["1 FLOP"], "bytes": ["1 B"], "profile": false,
                      "peak": "1 FLOP/s", "bandwidth": "1 B/s"}]})"),
          json::parse(R"({"kind": "roofline", "title": "t", "profile": {"ceilings": ["simd"]},
            "points": [{"label": "a", "kernel": "k", "params": {"w": "1 MiB", "n": 3}, "variant": "v",
                        "threads": 2, "intensity": "1 FLOP/B"}]})")};
}

}  // namespace support
