// The addresses that the book may link to, and their hosts, part by part.
#include "catch.hpp"
#include "generator/core/base/web_address.hpp"

using namespace primer;

namespace {

std::string fault(std::string_view url) {
  const auto found = address_fault(url);
  return found ? found->message : "";
}

const std::string mail = "a mailto: link must contain one address and nothing else";
const std::string controls = "an address cannot contain backslashes or control characters";

}  // namespace

TEST_CASE("host name: labels of letters, digits and hyphens between points", "[address]") {
  for (const char* good :
       {"https://a", "https://a.b", "https://A-Z.0-9", "https://a_b.c", "https://aµ.b",
        "https://z.az", "https://[::1]", "https://[2001:DB8::f.1]:80/", "https://a:1/",
        "https://a:65535?q", "https://a#b", "https://a/\x80"}) {
    INFO(good);
    CHECK(fault(good) == "");
  }
  for (const char* host :
       {"",     "a..b", ".a",  "a.",   "-a", "a-",  "a.-b", "a.b-.c",   "a b", "a@",  "a,b",
        "[::1", "::1]", "[g]", "[a]b", "a:", "a:x", "a:1x", "a:655355", "a%b", "a'b", "a{b"}) {
    INFO(host);
    CHECK(fault("https://" + std::string(host) + "/") != "");
  }
  CHECK(fault("https://a:x/") == "\"a:x\" is not a valid host name");
  CHECK(fault("https://u@b@c/") == "the text before @ is a user name; the link leads to \"c\"");
  CHECK(fault("https://a/u@b") == "");
  CHECK(fault("https://a?u@b") == "");
}

TEST_CASE("host name: no control character and no backslash", "[address]") {
  CHECK(fault("https://a/\x1f") == controls);
  CHECK(fault("https://a/\x7f") == controls);
  CHECK(fault("https://a/\n") == controls);
  CHECK(fault("https://a\\b") == controls);
  CHECK(fault("https://a/ ") == "");
}

TEST_CASE("host name: a mail has one address", "[address]") {
  for (const char* good : {"mailto:a@b", "MAILTO:a.b_c+d-e9@b.c"}) CHECK(fault(good) == "");
  for (const char* bad :
       {"mailto:", "mailto:@b", "mailto:a", "mailto:a@", "mailto:a@b@c", "mailto:a b@c",
        "mailto:a%40b@c", "mailto:a@b?x", "mailto:a@b,c@d", "mailto:a@-b"})
    CHECK(fault(bad) == mail);
}

TEST_CASE("host name: what an address to which paths are added may hold", "[address]") {
  const auto site = [](std::string_view url) {
    const auto found = site_address_fault(url);
    return found ? found->message : std::string();
  };
  CHECK(site("https://a/b/9Zz.-_~/") == "");
  CHECK(site("https://a/b{") == "a base address cannot contain \"{\"");
  CHECK(site("https://a/@") == "a base address cannot contain \"@\"");
  CHECK(site("https://a/`") == "a base address cannot contain \"`\"");
  CHECK(site("https://a/ ") == "a base address cannot contain such a character");
  CHECK(site("https://a/µ") == "a base address cannot contain such a character");
  CHECK(site("https://a/!") == "a base address cannot contain \"!\"");
  CHECK(site("https://a/./b") == "an address cannot contain the part \".\"");
  CHECK(site("https://a/b/..") == "an address cannot contain the part \"..\"");
  CHECK(site("https://a/...") == "");
  CHECK(site("ftp://a") == "the address is neither https:// nor http://");
  CHECK(site("https://-") == "\"-\" is not a valid host name");
}

TEST_CASE("host name: of an address, of a mail, of none", "[address]") {
  CHECK(host_of("https://a.b:80/x@y") == "a.b");
  CHECK(host_of("https://U@A.b?x") == "a.b");
  CHECK(host_of("https://[::1]:80/") == "[::1]");
  CHECK(host_of("mailto:a@B.c") == "b.c");
  CHECK(host_of("mailto:a") == "");
  CHECK(host_of("a.b/c") == "");
  CHECK(host_of("https://") == "");
}

TEST_CASE("host name: what a text seems to lead to", "[address]") {
  CHECK(host_named_by("see https://a.b/c, or https://d.e") == "a.b");
  CHECK(host_named_by("<https://a.b>") == "a.b");
  CHECK(host_named_by("www.thing.zz") == "www.thing.zz");
  CHECK(host_named_by("someone@thing.zz") == "thing.zz");
  CHECK(host_named_by("thing.zz") == "");
  CHECK(host_named_by("GitHub.Com.") == "github.com");
  CHECK(host_named_by("\"github.com\"") == "github.com");
  CHECK(host_named_by("com") == "");
  CHECK(host_named_by("-.com") == "");
  CHECK(host_named_by("first, then github.com/x") == "github.com");
  CHECK(host_named_by("a\tgithub.com:80") == "github.com");
  CHECK(host_named_by("()") == "");
  CHECK(host_named_by("") == "");
  CHECK(host_named_by(" a  b ") == "");
}

TEST_CASE("host name: the same, with or without www, or one below", "[address]") {
  CHECK(is_expected_host("a.b", "a.b"));
  CHECK(is_expected_host("www.a.b", "a.b"));
  CHECK(is_expected_host("a.b", "www.a.b"));
  CHECK(is_expected_host("a.b", "docs.a.b"));
  CHECK_FALSE(is_expected_host("a.b", "xa.b"));
  CHECK_FALSE(is_expected_host("docs.a.b", "a.b"));
  CHECK_FALSE(is_expected_host("a.b", "a.b.evil"));
  CHECK_FALSE(is_expected_host("a.b", "c.d"));
}
