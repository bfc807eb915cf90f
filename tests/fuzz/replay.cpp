// Runs every input of the corpus through its target. A crash, a trap or an exception ends the
// program, after the name of the input that caused it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace fs = std::filesystem;

namespace {

int replay(const fuzz::Target& target, const fs::path& directory) {
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(directory)) inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  for (const auto& input : inputs) {
    std::ostringstream text;
    text << std::ifstream(input, std::ios::binary).rdbuf();
    std::printf("%s\n", input.string().c_str());
    std::fflush(stdout);
    target.run(text.str());
  }
  return static_cast<int>(inputs.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: replay_corpus DIRECTORY\n", stderr), 2;
  for (const auto& target : fuzz::targets) {
    if (replay(target, fs::path(arguments[1]) / target.name) > 0) continue;
    std::fprintf(stderr, "%s has no inputs\n", target.name);
    return 1;
  }
  return 0;
}
