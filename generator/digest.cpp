#include "generator/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace primer {

Digest digest(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string to_text(const Digest& digest) {
  std::string digits;
  for (const std::uint64_t half : {digest.high, digest.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[half >> shift & 15];
  }
  return digits;
}

}  // namespace primer
