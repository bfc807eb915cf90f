// Cleans images as the generator does, for tests in browsers: clean_images FROM TO. For each file
// in FROM that is accepted, writes the published bytes to TO; for the other files, prints the
// reason, "name: message".
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "generator/core/pictures/image.hpp"

namespace fs = std::filesystem;

int main(int count, char** arguments) {
  if (count != 3) return std::fputs("usage: clean_images FROM TO\n", stderr), 2;
  for (const auto& entry : fs::directory_iterator(arguments[1])) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string name = entry.path().filename().string();
    const auto image = primer::clean_image(name, bytes.str(), nullptr);
    if (image) {
      std::ofstream(fs::path(arguments[2]) / name, std::ios::binary) << image->bytes;
    } else {
      std::printf("%s: %s\n", name.c_str(), image.error().message.c_str());
    }
  }
  return 0;
}
