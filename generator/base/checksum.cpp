#include "generator/base/checksum.hpp"

#include <openssl/evp.h>

#include "generator/base/digest.hpp"

namespace primer {
namespace {

std::string checksum(std::string_view bytes, const EVP_MD* kind) {
  unsigned char sum[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), sum, &size, kind, nullptr) != 1) return {};
  return hexadecimal(sum, size);
}

}  // namespace

std::string sha1(std::string_view bytes) { return checksum(bytes, EVP_sha1()); }
std::string sha256(std::string_view bytes) { return checksum(bytes, EVP_sha256()); }

}  // namespace primer
