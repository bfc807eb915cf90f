// Implements checksum.hpp with libmd, which adds a few kilobytes; OpenSSL would add hundreds.
#include "generator/core/base/checksum.hpp"

#include <sha1.h>
#include <sha2.h>

#include <array>

#include "generator/core/base/digest.hpp"

namespace primer {
namespace {

const std::uint8_t* data_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

std::array<std::uint8_t, SHA256_DIGEST_LENGTH> sha256_of(std::string_view bytes) {
  SHA2_CTX context;
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> sum;
  SHA256Init(&context);
  SHA256Update(&context, data_of(bytes), bytes.size());
  SHA256Final(sum.data(), &context);
  return sum;
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
  const auto sum = sha256_of(bytes);
  return hexadecimal(sum.data(), sum.size());
}

std::string integrity(std::string_view bytes) {
  const auto sum = sha256_of(bytes);
  return "sha256-" + base64({reinterpret_cast<const char*>(sum.data()), sum.size()});
}

}  // namespace primer
