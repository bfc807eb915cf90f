#include "catch.hpp"
#include "generator/core/base/digest.hpp"

TEST_CASE("base64: the examples of RFC 4648, section 10, and bytes that are no text", "[digest]") {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"},
                                                          {"\xff\xfe\xfb", "//77"}};
  for (const auto& [bytes, text] : examples) CHECK(primer::base64(bytes) == text);
}
