#include "generator/host/pagefind.hpp"

#include <unistd.h>

#include <fstream>

#include "catch.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

// A shell script that replaces Pagefind, in a directory that is removed at the end.
class StandIn {
 public:
  StandIn() : home(fs::temp_directory_path() / ("primer-pagefind-" + std::to_string(getpid()))) {
    fs::create_directories(home / "node_modules/@pagefind/any/bin");
  }
  ~StandIn() { fs::remove_all(home); }

  // Why there is no index if the program does this; "" if there is one.
  std::string why_not(const std::string& script) const {
    const fs::path program = home / "node_modules/@pagefind/any/bin/pagefind_extended";
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(program, fs::perms::owner_all);
    if (find_pagefind(home) != fs::canonical(program)) return "not found";
    const auto files = pagefind_index(program, {{"one/", "<html></html>"}});
    return files ? "" : files.error().message;
  }

  const fs::path home;
};

// An answer in Pagefind's format.
std::string say(const std::string& json) {
  return "printf '%s,' \"$(printf '%s' '" + json + "' | base64 -w 0)\"; ";
}

const std::string made = say(R"({"message_id":1,"payload":{"type":"NewIndex","index_id":0}})");

}  // namespace

TEST_CASE("pagefind: the files that pages ask for, and no others") {
  const StandIn pagefind;
  const std::string added = say(R"({"payload":{"type":"IndexedFile"}})");
  const std::string files = say(
      R"({"payload":{"type":"GetFiles","files":[{"path":"pagefind.js","content":"YWI="},{"path":"pagefind-ui.js","content":""}]}})");
  REQUIRE(pagefind.why_not(made + added + files + "cat > /dev/null") == "");
  const auto index = pagefind_index(find_pagefind(pagefind.home), {{"one/", "<html></html>"}});
  REQUIRE(index);
  REQUIRE(index->size() == 1);
  CHECK(index->front().path == "pagefind.js");
  CHECK(index->front().content == "ab");
}

TEST_CASE("pagefind: failures are reported") {
  const StandIn pagefind;
  const std::string silent = "Pagefind, which builds the search index, stopped or does not answer";
  CHECK(pagefind.why_not("exit 1") == silent);
  CHECK(pagefind.why_not(made + "exit 0") == "one/: " + silent);
  CHECK(pagefind.why_not("printf 'nonsense!,'; cat > /dev/null") ==
        "Pagefind, which builds the search index, gave an invalid answer");
  CHECK(pagefind.why_not(say(R"({"payload":{"type":"Error","message":"no such thing"}})") +
                         "cat > /dev/null") ==
        "Pagefind, which builds the search index, says: no such thing");
  CHECK(find_pagefind("/nonexistent").empty());
}
