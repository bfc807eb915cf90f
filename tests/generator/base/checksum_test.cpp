#include "generator/core/base/checksum.hpp"

#include "catch.hpp"

using namespace primer;

TEST_CASE("checksums are those of sha1sum and sha256sum", "[checksum]") {
  CHECK(sha1("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  CHECK(sha1("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(integrity("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
