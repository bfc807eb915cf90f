// The text of every model with each choice and at both ends of each slider, and a checksum of its
// drawing, table and notices in both layouts. UPDATE_GOLDENS=1 writes the list again; look at the
// drawings that changed before you commit it.
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "every_setting.hpp"
#include "figures/models/chips.hpp"
#include "published.hpp"

namespace {

using namespace figures::models;
using nlohmann::json;

const char* const golden_file = "tests/figures/models/drawn.txt";

// FNV-1a, 64 bits, because std::hash differs between machines.
std::uint64_t checksum(std::string_view text, std::uint64_t sum) {
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

std::uint64_t checksum(const Frame& frame, std::uint64_t sum) {
  const figures::Rendering& drawn = frame.rendering;
  sum = checksum(drawn.svg, checksum(frame.where, sum));
  for (const std::string& column : drawn.table.columns) sum = checksum(column + "\n", sum);
  for (const auto& row : drawn.table.rows)
    for (const std::string& cell : row) sum = checksum(cell + "\n", sum);
  for (const std::string_view id : frame.unused) sum = checksum(id, checksum("\n", sum));
  return sum;
}

std::string drawn_line(std::string_view name, const json& params, const Numbers& numbers) {
  INFO(name << " " << params.dump());
  Player player;
  REQUIRE(player.load(name, params, numbers));
  std::uint64_t sum = 0xcbf29ce484222325;
  std::string words;
  for (const int step : {first_step, paper_step, last_step}) {
    player.seek(step);
    for (const auto layout : {figures::Layout::column, figures::Layout::narrow}) {
      figures::Options options;
      options.width = layout;
      const Frame frame = player.draw(options);
      sum = checksum(frame, sum);
      words = frame.words();
    }
  }
  std::ostringstream line;
  line << name << ' ' << params.dump() << ' ' << std::hex << std::setw(16) << std::setfill('0')
       << sum << ' ' << words << '\n';
  return line.str();
}

}  // namespace

TEST_CASE("what models show under each of their settings", "[slow]") {
  const figures::Profile machine = support::profile("phone");
  std::string now;
  for (const std::string_view name : model_names()) {
    const auto model = make_model(name);
    const auto numbers = numbers_for(*model, published::book(), &machine, nullptr);
    REQUIRE(numbers);
    for (const json& params : settings_of(*model)) now += drawn_line(name, params, *numbers);
  }
  if (std::getenv("UPDATE_GOLDENS"))
    std::ofstream(std::string(SOURCE_ROOT) + "/" + golden_file, std::ios::binary) << now;
  std::istringstream was(support::read_source(golden_file)), is(now);
  for (std::string before, after; std::getline(is, after);) {
    std::getline(was, before);
    CHECK(after == before);
  }
  CHECK(support::read_source(golden_file).size() == now.size());
}
