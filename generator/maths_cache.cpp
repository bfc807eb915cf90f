#include "generator/maths_cache.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "generator/text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

std::string head(std::string_view key) {
  return std::to_string(key.size()) + "\n" + std::string(key);
}

// Not the name of any other writer's file.
std::string temporary_name(const std::string& name) {
  std::ostringstream text;
  text << name << '.' << getpid() << '.' << std::this_thread::get_id();
  return std::move(text).str();
}

}  // namespace

bool MathsCache::exists() const {
  std::error_code error;
  return fs::is_directory(directory_, error);
}

std::optional<std::string> MathsCache::find(std::string_view key) const {
  std::ifstream in(directory_ / content_hash(key), std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  std::string entry = std::move(text).str();
  const std::string expected = head(key);
  if (!entry.starts_with(expected)) return std::nullopt;
  return entry.substr(expected.size());
}

void MathsCache::store(std::string_view key, std::string_view value) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  const fs::path name = directory_ / content_hash(key);
  const fs::path temporary = directory_ / temporary_name(content_hash(key));
  std::ofstream out(temporary, std::ios::binary);
  out << head(key) << value;
  out.close();
  if (out) {
    fs::rename(temporary, name, error);
  } else {
    fs::remove(temporary, error);
  }
}

}  // namespace primer
