// checksum.hpp by libmd, which is a few kilobytes where OpenSSL is hundreds.
#include "generator/base/checksum.hpp"

#include <sha1.h>
#include <sha2.h>

#include "generator/base/digest.hpp"

namespace primer {
namespace {

const std::uint8_t* data_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

}  // namespace

std::string sha1(std::string_view bytes) {
  SHA1_CTX context;
  std::uint8_t sum[SHA1_DIGEST_LENGTH];
  SHA1Init(&context);
  SHA1Update(&context, data_of(bytes), bytes.size());
  SHA1Final(sum, &context);
  return hexadecimal(sum, sizeof sum);
}

std::string sha256(std::string_view bytes) {
  SHA2_CTX context;
  std::uint8_t sum[SHA256_DIGEST_LENGTH];
  SHA256Init(&context);
  SHA256Update(&context, data_of(bytes), bytes.size());
  SHA256Final(sum, &context);
  return hexadecimal(sum, sizeof sum);
}

}  // namespace primer
