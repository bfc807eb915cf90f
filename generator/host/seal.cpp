#include "generator/host/seal.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "generator/base/digest.hpp"
#include "generator/base/pack.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace {

constexpr const char* key_name = "key";
constexpr std::size_t key_size = 32;

// The directory is the user's alone, so what is there was written by this user.
std::optional<std::string> kept_key(const Directory& state) {
  auto key = state.read(key_name, key_size);
  if (!key || key->size() != key_size) return std::nullopt;
  return key;
}

std::string new_key(const Directory& state) {
  std::string key(key_size, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), key_size) != 1) return {};
  const std::string aside = std::string(key_name) + '.' + std::to_string(getpid());
  static_cast<void>(state.remove(aside));
  if (state.write(aside, key, 0600)) return {};
  // One of two that begin at the same moment; a damaged one gives way.
  if (state.link(state, aside, key_name)) {
    if (auto other = kept_key(state)) key = std::move(*other);
    else static_cast<void>(state.move(aside, state, key_name));
  }
  static_cast<void>(state.remove(aside));
  return key;
}

}  // namespace

Seal Seal::of(const UserDirectories& user) {
  if (user.state.empty()) return Seal();
  const Directory state(user.state);
  if (auto key = kept_key(state)) return Seal(std::move(*key));
  return Seal(new_key(state));
}

std::string Seal::operator()(int directory) const {
  struct statx status{};
  if (statx(directory, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0) return {};
  const bool dated = (status.stx_mask & STATX_BTIME) != 0;
  if (!dated && key_.empty()) return {};
  Packer packer;
  packer.add(std::string_view("a directory of builds"));
  packer.add(std::uint64_t{status.stx_ino});
  packer.add(dated ? static_cast<std::uint64_t>(status.stx_btime.tv_sec) : 0);
  packer.add(dated ? std::uint64_t{status.stx_btime.tv_nsec} : 0);
  unsigned char mac[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(packer.bytes.data());
  if (!HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), bytes, packer.bytes.size(),
            mac, &size)) {
    return {};
  }
  return hexadecimal(mac, size);
}

}  // namespace primer
