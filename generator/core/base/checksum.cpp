#include "generator/core/base/checksum.hpp"

#include <openssl/evp.h>

#include "generator/core/base/digest.hpp"

namespace primer {
namespace {

// The raw bytes of the checksum. Empty if OpenSSL fails.
std::string checksum(std::string_view bytes, const EVP_MD* kind) {
  unsigned char sum[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), sum, &size, kind, nullptr) != 1) return {};
  return {reinterpret_cast<const char*>(sum), size};
}

std::string digits_of(const std::string& sum) {
  return hexadecimal(reinterpret_cast<const unsigned char*>(sum.data()), sum.size());
}

}  // namespace

std::string sha1(std::string_view bytes) { return digits_of(checksum(bytes, EVP_sha1())); }
std::string sha256(std::string_view bytes) { return digits_of(checksum(bytes, EVP_sha256())); }
std::string integrity(std::string_view bytes) {
  return "sha256-" + base64(checksum(bytes, EVP_sha256()));
}

}  // namespace primer
