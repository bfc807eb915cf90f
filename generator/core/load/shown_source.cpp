#include "generator/core/load/shown_source.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

// Parts of a name that mark a secret anywhere, whole words that do, file endings of keys, and the
// kinds of keys and tokens that form a pair with "key" or "token".
constexpr std::array secret_parts{"credential", "passwd", "password", "kubeconfig"};
constexpr std::array secret_words{"htpasswd", "netrc", "npmrc", "pgpass", "pypirc"};
constexpr std::array secret_endings{"agekey", "asc",   "env",  "gpg",    "htpasswd", "jks",
                                    "kdb",    "kdbx",  "key",  "keytab", "keystore", "kubeconfig",
                                    "netrc",  "npmrc", "ovpn", "p12",    "p8",       "pem",
                                    "pfx",    "pgp",   "ppk",  "pypirc", "tfstate",  "tfvars"};
constexpr std::array key_kinds{"access", "api",        "aws",     "azure",  "deploy",
                               "gcp",    "encryption", "host",    "master", "private",
                               "secret", "service",    "signing", "ssh"};
constexpr std::array token_kinds{"access", "api",  "auth",    "aws",     "bearer", "bot",  "deploy",
                                 "docker", "gh",   "github",  "gitlab",  "hf",     "jwt",  "npm",
                                 "oauth",  "pypi", "refresh", "session", "slack",  "vault"};
constexpr std::array login_keys{"rsa", "dsa", "ecdsa", "ed25519"};

bool has(const auto& list, std::string_view word) {
  return std::ranges::any_of(list, [&](const char* one) { return word == one; });
}

// "githubToken-2.old.txt" → "github", "token", "2", "old", "txt".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  bool was_lower = false;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool is_word = std::isalnum(letter) || letter >= 0x80;
    if ((!is_word || (was_lower && std::isupper(letter))) && !words.back().empty())
      words.emplace_back();
    if (is_word) words.back() += static_cast<char>(std::tolower(letter));
    was_lower = std::islower(letter) || std::isdigit(letter);
  }
  return words;
}

// Whether two consecutive words name a key: "id_rsa", "api-key", "github_token". "token" by itself
// is too common in code about compilers and models.
bool is_key_name(std::string_view first, std::string_view second) {
  if (first == "id") return has(login_keys, second);
  if (first == "service" && second == "account") return true;
  const bool is_key = second == "key" || second == "keys";
  const bool is_token = second == "token" || second == "tokens";
  return (is_key && has(key_kinds, first)) || (is_token && has(token_kinds, first));
}

// "githubtoken" is one word, so every split into two is checked.
bool is_secret_word(std::string_view word) {
  for (std::size_t end = 2; end < word.size(); ++end)
    if (is_key_name(word.substr(0, end), word.substr(end))) return true;
  return word.ends_with("secret") || word.ends_with("secrets") || has(secret_words, word) ||
         std::ranges::any_of(secret_parts,
                             [&](const char* part) { return word.find(part) != word.npos; });
}

bool is_secret(std::string_view name) {
  const auto words = words_of(name);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (is_secret_word(words[i]) || (i > 0 && is_key_name(words[i - 1], words[i]))) return true;
  // "server.key.old" counts too.
  const auto parts = split(name, '.');
  return std::any_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
    std::string ending(part);
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return has(secret_endings, ending);
  });
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
                          const std::vector<std::string>& public_files, const std::string& path) {
  const auto parts = split(path, '/');
  if (std::ranges::any_of(parts, [](std::string_view part) { return part.starts_with('.'); })) {
    return in_quotes(path) + " is hidden; names that begin with a dot are not published";
  }
  const auto holds = [&](const std::string& directory) { return lies_below(path, directory); };
  if (std::ranges::none_of(directories, holds)) {
    return in_quotes(path) + " is not in a source directory; expected one of " +
           join(directories, ", ");
  }
  const bool is_public = std::ranges::find(public_files, path) != public_files.end();
  if (!is_public && std::ranges::any_of(parts, is_secret)) {
    return in_quotes(path) +
           " has a name like a secret; to publish it, list it under public_files in book.yaml";
  }
  if (const std::string link = files.link_in(path); !link.empty()) {
    return in_quotes(link) + " is a symbolic link; put the " +
           (link == path ? "file" : "directory") + " itself there";
  }
  return {};
}

}  // namespace primer
