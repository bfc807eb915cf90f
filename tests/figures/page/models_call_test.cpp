// The requests that a page sends to the models, and the content of each answer.
#include "figures/page/models_call.hpp"

#include "support.hpp"

namespace {

using nlohmann::json;

json asked(figures::models::Desk& desk, const json& request) {
  return json::parse(desk.answer(request.dump()));
}

std::string said_of(const json& answer) { return answer.at("error").at("message"); }

}  // namespace

TEST_CASE("models: a frame, the counts of a run, the controls", "[models]") {
  figures::models::Desk desk;
  const json params = {{"n", 8}, {"tile", 4}, {"order", "tiled"}};
  const json of = {{"model", "cache-tiling"}, {"params", params}};
  const auto with = [&](json more) {
    more.update(of);
    return asked(desk, more);
  };
  const json frame = with({{"op", "frame"}, {"step", 5}});
  CHECK(frame.at("step") == 5);
  CHECK(frame.at("params").at("n") == 8);
  CHECK(frame.at("params").at("order") == "tiled");
  CHECK(frame.at("notices").empty());
  CHECK(frame.at("svg").get<std::string>().starts_with("<svg"));
  const int length = frame.at("length");
  CHECK(length > 5);
  // After the last step comes the last step. Before the first one is the model's initial drawing,
  // or the one for print.
  CHECK(with({{"op", "frame"}, {"step", length + 7}}).at("step") == length);
  CHECK(with({{"op", "frame"}, {"step", 0}}).at("step") == 0);
  CHECK(with({{"op", "frame"}, {"step", 1e9}}).at("step") == 0);
  CHECK(with({{"op", "frame"}, {"step", -1}}).at("step") == with({{"op", "frame"}}).at("step"));
  const json counts = with({{"op", "counts"}});
  for (const json& row : counts.at("rows")) {
    const double counted = std::stod(row[1].get<std::string>());
    CHECK(counted >= std::stod(row[2].get<std::string>()));
    CHECK(counted <= std::stod(row[3].get<std::string>()));
  }
  const json rows = asked(desk, {{"op", "controls"}, {"model", "cache-tiling"}}).at("rows");
  CHECK(std::ranges::any_of(
      rows, [](const json& row) { return row[0] == "tile" && row[4] == "doubling"; }));
  CHECK(std::ranges::any_of(
      rows, [](const json& row) { return row[0] == "order" && row.back() == "tiled"; }));
  const json all = asked(desk, {{"op", "controls"}});
  CHECK(std::ranges::find(all.at("models"), json("cache-tiling")) != all.at("models").end());
  CHECK(all.at("facts").size() > 10);
}

TEST_CASE("models: errors in a request are reported", "[models]") {
  figures::models::Desk desk;
  CHECK(said_of(asked(desk, {{"op", "frames"}, {"model", "cache-tiling"}})) ==
        "unknown operation 'frames'");
  CHECK(said_of(asked(desk, json::object())) == "unknown operation ''");
  for (const char* op : {"frame", "counts", "controls"}) {
    const json answer = asked(desk, {{"op", op}, {"model", "cache-tilling"}});
    CHECK(said_of(answer) == "there is no model 'cache-tilling'");
    CHECK(answer.at("error").at("suggestion") == "cache-tiling");
  }
  CHECK_FALSE(said_of(json::parse(desk.answer("{"))).empty());
}
