#include "generator/load/tracked_files.hpp"

#include <openssl/evp.h>

#include "generator/base/digest.hpp"
#include "generator/base/text.hpp"

namespace primer {

bool is_committed(std::string_view bytes, std::string_view object) {
  const auto name_of = [&](std::string_view text) {
    const std::string whole = "blob " + std::to_string(text.size()) + '\0' + std::string(text);
    unsigned char name[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    const EVP_MD* kind = object.size() == 64 ? EVP_sha256() : EVP_sha1();
    if (EVP_Digest(whole.data(), whole.size(), name, &size, kind, nullptr) != 1)
      return std::string();
    return hexadecimal(name, size);
  };
  if (name_of(bytes) == object) return true;
  return bytes.find("\r\n") != bytes.npos &&
         name_of(replace_all(std::string(bytes), "\r\n", "\n")) == object;
}

}  // namespace primer
