// A link leads to the host that its text names.
#include "generator/core/base/web_address.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

TEST_CASE("address: a link that hides its host, or carries more than an address, is an error") {
  for (const char* bad :
       {"[https://github.com](https://github.com@evil.example/)",
        "[x](https://user:pass@evil.example/)",
        "[https://github.com/a](https://evil.example/github.com/a)",
        "[github.com](https://evil.example)", "[see https://github.com](https://evil.example)",
        "[**www.github.com**](https://github.evil.example)",
        "[GitHub.com/login](http://evil.example/login)",
        "[x](<https://evil.example\\@github.com/>)", "[x](https://%67ithub.com/)",
        "[x](https:///evil.example)", "[x](https://a.example:8x/)", "[x](https://)",
        "[x](mailto:a@b.example?bcc=c@d.example)", "[x](mailto:a@b.example,c@d.example)",
        "[x](mailto:?to=a@b.example)", "[x](mailto:a%0Ab@c.example)",
        "[a@b.example](mailto:a@evil.example)"}) {
    INFO(bad);
    CHECK(small_book::errors(std::string(bad) + '\n').find("[misleading-link]") !=
          std::string::npos);
  }
}

TEST_CASE("address: what a text may be called") {
  for (const char* good :
       {"<https://example.org/a>", "https://example.org/a",
        "[example.org](https://www.example.org/)", "[nvidia.com](https://docs.nvidia.com/x)",
        "[Node.js](https://nodejs.org/)", "[llama.cpp](https://github.com/x/y)",
        "[d2l.ai 5.1](https://d2l.ai/x.html)", "[a text](https://a-b.example:8080/?q=a@b#c)",
        "[v1.2](https://example.org)", "[write](mailto:a.b+c@example.org)",
        "[a@example.org](mailto:a@example.org)", "[x](https://[::1]/)"}) {
    INFO(good);
    CHECK(small_book::errors(std::string(good) + '\n') == "");
  }
  CHECK(host_named_by("main.rs") == "");
  CHECK(host_named_by("github\uFF0Ecom") == "github.com");
  CHECK(host_named_by("github\u3002com") == "github.com");
  CHECK(host_named_by("see (github.com) for it") == "github.com");
  CHECK(host_named_by("mail a@github.com, please") == "github.com");
  CHECK(host_of("HTTPS://Example.ORG:80/x") == "example.org");
}

TEST_CASE("address: of a reference and of the book, too") {
  for (const char* key : {"repository", "base_url"}) {
    auto book = small_book::with("");
    book["chapters/book.yaml"] = "title: Small\n" + std::string(key) +
                                 ": https://github.com@evil.example/x\nchapters:\n  - slug: first\n"
                                 "    number: 1\n  - slug: second\n";
    CHECK(small_book::build(book).errors.find("book.yaml:2:") != std::string::npos);
    CHECK(small_book::build(book).errors.find("[misleading-link]") != std::string::npos);
  }
  auto files = small_book::with("");
  files["chapters/facts/references.json"] =
      R"({"nv": {"type": "report", "title": "Data sheet", "url": "https://nvidia.com@evil.example/nv",
          "year": 2023, "authors": ["NVIDIA"], "checked": true}})";
  CHECK(small_book::build(files).errors.find("references.json:1:") != std::string::npos);
  CHECK(small_book::build(files).errors.find("[misleading-link]") != std::string::npos);
}

TEST_CASE("address: below which a site can lie") {
  for (const char* bad : {"https://x.org/?q=<s>",
                          "https://x.org/#a",
                          "https://x.org/../../y/",
                          "https://x.org/./y/",
                          "https://x/\"onclick=1",
                          "https://x.org/'/",
                          "https://*.org/",
                          "https://x.org/*/",
                          "https://u@x.org/",
                          "https://x.org/a b/",
                          "https://x.org/\t",
                          "ftp://x.org/",
                          "javascript:alert(1)",
                          "//x.org/",
                          "x.org",
                          "https://",
                          "https://x.org/%2e%2e/",
                          "https://x.org/a;b",
                          "https://x.org/a,b",
                          "https://x.org/\\y",
                          "https://ex\u00E4mple.org/",
                          "https://x.org:port/"}) {
    INFO(bad);
    CHECK(site_address_fault(bad));
  }
  for (const char* good :
       {"https://example.org", "http://localhost/", "http://127.0.0.1:8000/book/",
        "https://me.github.io/a_b-c.d~e/", "https://[::1]:8000/"}) {
    INFO(good);
    CHECK_FALSE(site_address_fault(good));
  }
  auto book = small_book::with("");
  book["chapters/book.yaml"] += "base_url: https://example.org/?q=x\n";
  CHECK(small_book::build(book).errors.find(
            "book.yaml:9:11: error: a base address cannot contain \"?\"") != std::string::npos);
}
