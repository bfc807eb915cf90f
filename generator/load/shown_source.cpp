#include "generator/load/shown_source.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::array secret_names{"credentials", "secrets",  "id_rsa", "id_dsa", "id_ecdsa",
                                  "id_ed25519",  "htpasswd", "netrc",  "npmrc",  "token"};
constexpr std::array secret_endings{".pem", ".key",  ".p12",      ".pfx",
                                    ".jks", ".kdbx", ".keystore", ".env"};

bool is_secret(std::string_view written) {
  std::string name(written);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string stem = name.substr(0, name.find('.'));
  return std::ranges::any_of(secret_names, [&](const char* one) { return stem == one; }) ||
         std::ranges::any_of(secret_endings, [&](const char* one) { return name.ends_with(one); });
}

bool lies_below(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

}  // namespace

std::vector<std::string> usual_sources() {
  return {"chapters", "code", "examples", "figures", "generator",
          "scripts",  "site", "src",      "tests",   "wasm_kernels"};
}

std::string why_not_shown(const FileSystem& files, const std::vector<std::string>& directories,
                          const std::string& path) {
  const auto parts = split(path, '/');
  if (std::ranges::any_of(parts, [](std::string_view part) { return part.starts_with('.'); })) {
    return in_quotes(path) + " is hidden; nothing is shown whose name begins with a dot";
  }
  const auto holds = [&](const std::string& directory) { return lies_below(path, directory); };
  if (std::ranges::none_of(directories, holds)) {
    return in_quotes(path) + " lies in no directory of sources: " + join(directories, ", ");
  }
  if (std::ranges::any_of(parts, is_secret)) return in_quotes(path) + " is named like a secret";
  if (const std::string link = files.link_in(path); !link.empty()) {
    return in_quotes(link) + " is a symbolic link; put the " +
           (link == path ? "file" : "directory") + " itself there";
  }
  return {};
}

}  // namespace primer
