// scripts/bench figures: the native time to draw each spec, and the size of both layouts together,
// for the book in the current directory.
#include <zlib.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "figures/draw/rendering.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/values.hpp"
#include "generator/host/disk.hpp"

namespace {

constexpr int rounds = 101;
constexpr std::string_view specs = "figures/specs/";

std::size_t gzip_size(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), text.size(), 9);
  return size;
}

struct Cost {
  double milliseconds = 0;  // the median of one drawing, of the slower layout
  std::size_t bytes = 0;    // both layouts, compressed
};

// Nothing if it cannot be drawn.
std::optional<Cost> cost_of(const nlohmann::json& spec, const figures::Inputs& inputs) {
  Cost cost;
  std::string both;
  for (const auto layout : {figures::Layout::wide, figures::Layout::narrow}) {
    figures::Options options;
    options.width = layout;
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const auto drawing = figures::render(spec, inputs, options);
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - begin;
      if (!drawing) return std::nullopt;
      times.push_back(time.count());
      if (i == 0) both += drawing->svg;
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    cost.milliseconds = std::max(cost.milliseconds, times[rounds / 2]);
  }
  cost.bytes = gzip_size(both);
  return cost;
}

}  // namespace

int main() {
  const auto files = primer::disk(".");
  primer::Diagnostics diagnostics;
  const auto book = primer::load_book(*files, diagnostics);
  if (!book) return std::fputs("run this in a book's directory\n", stderr), 1;
  const auto values = primer::load_values(*files, *book, false, diagnostics);
  const figures::Profile* reference = values->reference ? &*values->reference : nullptr;
  const figures::Inputs inputs{&values->facts, reference, nullptr, &values->catalogue};
  std::printf("%-24s %-10s %9s %7s\n", "specification", "kind", "ms", "bytes");
  std::vector<double> times;
  std::size_t most = 0;
  for (const auto& path : files->list("figures/specs")) {
    const auto spec = primer::read_json(*files, path, diagnostics);
    const auto cost = spec ? cost_of(spec->value, inputs) : std::nullopt;
    const std::string name = path.substr(specs.size(), path.find(".json") - specs.size());
    if (!cost) {
      std::printf("%-24s cannot be drawn\n", name.c_str());
      continue;
    }
    std::printf("%-24s %-10s %9.3f %7zu\n", name.c_str(), spec->value.value("kind", "").c_str(),
                cost->milliseconds, cost->bytes);
    times.push_back(cost->milliseconds);
    most = std::max(most, cost->bytes);
  }
  if (times.empty()) return 1;
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("median %.3f ms, slowest %.3f ms, largest %zu bytes\n", times[times.size() / 2],
              *std::max_element(times.begin(), times.end()), most);
}
