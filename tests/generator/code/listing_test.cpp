#include "generator/core/code/listing.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/load/history.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/load/shown_source.hpp"
#include "generator/host/disk.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

constexpr const char* kernel_file = R"(#include "simd.hpp"

// region: kernel

  // region: loop
  for (;;) {
    step();
  }
  // end region: loop

  finish();
// end region: kernel

# region: tail
end();
# end region: tail
)";

std::unique_ptr<FileSystem> book() {
  return in_memory({{"wasm_kernels/matmul/packed.cpp", kernel_file},
                    {"wasm_kernels/matmul/empty.cpp", "// region: a\n\n// end region: a\n"},
                    {"wasm_kernels/matmul/open.cpp", "x\n// region: a\n"},
                    {"wasm_kernels/matmul/latin1.cpp", "// caf\xe9\n"},
                    {"big.py", std::string(largest_listed_file + 1, 'x')},
                    {"run.py", "print(1)\r\n\r\nprint(2)"}});
}

// "path:line language\ncode", or the error with the text that it points at.
std::string shown(std::string_view source) {
  const auto listing = read_listing(*book(), source);
  if (listing) {
    return listing->file + ":" + std::to_string(listing->first_line) + " " + listing->language +
           "\n" + listing->code;
  }
  const figures::Error& error = listing.error();
  return error.message + " [" + std::string(source.substr(error.offset, error.length)) + "]" +
         (error.suggestion.empty() ? "" : " -> " + error.suggestion);
}

std::string region_error(std::string_view text) {
  const auto regions = source_regions(text);
  return regions ? "" : regions.error().message;
}

}  // namespace

TEST_CASE("a region is shown without its markers, indentation and blank edges", "[listing]") {
  CHECK(shown("wasm_kernels/matmul/packed.cpp#loop") ==
        "wasm_kernels/matmul/packed.cpp:6 cpp\nfor (;;) {\n  step();\n}\n");
  CHECK(shown("./wasm_kernels/matmul/packed.cpp#tail") ==
        "wasm_kernels/matmul/packed.cpp:15 cpp\nend();\n");
}

TEST_CASE("a region shows the content of nested regions, but not their markers", "[listing]") {
  CHECK(shown("wasm_kernels/matmul/packed.cpp#kernel") ==
        "wasm_kernels/matmul/packed.cpp:6 cpp\nfor (;;) {\n  step();\n}\n\nfinish();\n");
}

TEST_CASE("a whole file can be shown", "[listing]") {
  CHECK(shown("run.py") == "run.py:1 python\nprint(1)\n\nprint(2)\n");
}

TEST_CASE("a listing that cannot be shown says why, and points at the part that is wrong",
          "[listing]") {
  const std::string path = "wasm_kernels/matmul/packed.cpp";
  CHECK(shown(path + "#lop") == path + " has no region \"lop\" [lop] -> loop");
  CHECK(shown(path + "#") == "missing region name after '#' [#]");
  CHECK(shown("wasm_kernels/matmul/pakced.cpp#loop") ==
        "there is no file \"wasm_kernels/matmul/pakced.cpp\" in the book "
        "[wasm_kernels/matmul/pakced.cpp] -> wasm_kernels/matmul/packed.cpp");
  CHECK(shown("../secret.cpp#a") ==
        "\"../secret.cpp\" is not a path inside the book [../secret.cpp]");
  CHECK(shown("/etc/passwd") == "\"/etc/passwd\" is not a path inside the book [/etc/passwd]");
  CHECK(shown("") == "\"\" is not a path inside the book []");
  CHECK(shown("big.py") == "big.py is larger than 512 KiB [big.py]");
  CHECK(shown("wasm_kernels/matmul/latin1.cpp") ==
        "wasm_kernels/matmul/latin1.cpp is not UTF-8 text [wasm_kernels/matmul/latin1.cpp]");
  CHECK(shown("wasm_kernels/matmul/empty.cpp#a") == "it contains no code to show [a]");
  CHECK(shown("wasm_kernels/matmul/open.cpp#a") ==
        "wasm_kernels/matmul/open.cpp, line 2: region \"a\" is never closed "
        "[wasm_kernels/matmul/open.cpp]");
}

TEST_CASE("wrong markers are errors for the whole file", "[listing]") {
  CHECK(region_error("// region: a\n// region: a\n") == "line 2: region \"a\" begins twice");
  CHECK(region_error("a\n// end region: a\n") == "line 2: no region is open here");
  CHECK(region_error("// region: a\n// region: b\n// end region: a\n") ==
        "line 3: the innermost open region is \"b\", not \"a\"");
  CHECK(region_error("//region: A b\n") ==
        "line 1: a region's name is lower-case letters, digits and hyphens, not \"A b\"");
  CHECK(region_error("int region; // region: a\n").empty());
}

TEST_CASE("hostile nesting is refused, not copied around", "[listing]") {
  std::string deep, wide;
  for (int i = 0; i < 10; ++i) deep += std::string("// region: a") + char('0' + i) + "\n";
  for (int i = 0; i < 300; ++i) {
    const std::string name = std::to_string(i);
    wide += "// region: a" + name + "\n// end region: a" + name + "\n";
  }
  CHECK(region_error(deep) == "line 9: regions are nested too deeply");
  CHECK(region_error(wide) == "line 401: there are too many regions");
}

TEST_CASE("a listing of a kernel names the module that holds it, its size and its hash",
          "[listing]") {
  auto files = small_book::with("```listing\nsource: wasm_kernels/add.cpp#body\n```\n");
  for (const char* name :
       {"wasm_kernels/traps", "wasm_kernels/lab-simd128", "wasm_kernels/lab-relaxed",
        "wasm_kernels/lab-shared", "wasm_kernels/layers-simd128", "wasm_kernels/layers-relaxed",
        "wasm_kernels/webgpu", "wasm_kernels/kernels-simd128", "wasm_kernels/kernels-relaxed",
        "wasm_kernels/kernels-simd128-shared", "wasm_kernels/kernels-relaxed-shared",
        "figures/page", "figures/page-plots", "figures/models-layers", "figures/models-chips",
        "figures/models-knobs", "figures/models-many", "figures/costs"}) {
    files["build/wasm/" + std::string(name) + ".wasm"] = std::string(3 * 1024, '\0') + name;
  }
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  const auto at = page.find("<span class=\"module\">");
  REQUIRE(at != page.npos);
  CHECK(page.substr(at, page.find("</figcaption>", at) - at) ==
        "<span class=\"module\">in <code>kernels-simd128.wasm</code>, 3\u202FKiB, SHA-256 "
        "<code>3062f13974b27155</code></span>");
  files["chapters/en/01-first.md"] += "```listing\nsource: chapters/book.yaml\n```\n";
  const std::string two = small_book::build(files).site.at("first/index.html");
  CHECK(two.find("class=\"module\"") == two.rfind("class=\"module\""));
}

namespace {

// The first line of the errors of a chapter with one listing, in a book that also has these files.
std::string refusal(const std::string& source, const small_book::Files& more = {}) {
  auto files = small_book::with("```listing\nsource: " + source + "\n```\n");
  for (const auto& [path, text] : more) files[path] = text;
  const auto built = small_book::build(files);
  for (const auto& [path, bytes] : built.site) CHECK(bytes.find("hunter2") == std::string::npos);
  return built.errors.substr(0, built.errors.find('\n'));
}

}  // namespace

TEST_CASE("a listing shows no file that is the publisher's own", "[listing]") {
  const std::string place = "chapters/en/01-first.md:5:9: error: ";
  for (const char* path : {".git/config", ".env", ".npmrc", "wasm_kernels/.env", "site/.git/config",
                           "chapters/../.env", "code/.ssh/id_rsa"}) {
    INFO(path);
    const std::string said = refusal(path, {{*normal_path(path), "password hunter2\n"}});
    CHECK(said ==
          place + '"' + *normal_path(path) +
              "\" is hidden; names that begin with a dot are not published [private-source]");
  }
  for (const char* path :
       {"secret.txt", "private/notes.txt", "build/cache/x.txt", "wasm_kernels_old/a.cpp"}) {
    INFO(path);
    CHECK(refusal(path, {{path, "hunter2\n"}})
              .starts_with(place + '"' + path +
                           "\" is not in a source directory; expected one of chapters, code,"));
  }
  for (const char* path :
       {"code/id_rsa", "code/credentials.json", "site/server.key", "tests/a.pem"}) {
    INFO(path);
    CHECK(refusal(path, {{path, "hunter2\n"}}) ==
          place + '"' + path +
              "\" has a name like a secret; to publish it, list it under public_files in book.yaml "
              "[private-source]");
  }
  CHECK(refusal("wasm_kernels/add.cpp#body") == "");
  CHECK(refusal("code/keys.cpp", {{"code/keys.cpp", "int keys;\n"}}) == "");
}

TEST_CASE("a book may name its directories of sources", "[listing]") {
  auto files = small_book::with("```listing\nsource: library/deep/a.cpp\n```\n");
  files["library/deep/a.cpp"] = "int a;\n";
  files["chapters/book.yaml"] += "sources: [library/deep]\n";
  CHECK(small_book::build(files).errors == "");
  files["chapters/en/second.md"] += "```listing\nsource: wasm_kernels/add.cpp\n```\n";
  CHECK(small_book::build(files).errors.find(
            "is not in a source directory; expected one of library/deep") != std::string::npos);
  for (const char* directory : {"../x", "/etc", ".git", "a/.b", "a/"}) {
    INFO(directory);
    files["chapters/book.yaml"] =
        small_book::with("").at("chapters/book.yaml") + "sources: [\"" + directory + "\"]\n";
    CHECK(small_book::build(files).errors.find("expected a directory path from the book") !=
          std::string::npos);
  }
}

TEST_CASE("a listing follows no link", "[listing]") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("primer-listing-" + std::to_string(getpid()));
  fs::create_directories(root / "code");
  std::ofstream(root / ".env") << "hunter2\n";
  std::ofstream(root / "code/a.cpp") << "int a;\n";
  fs::create_symlink("../.env", root / "code/b.cpp");
  fs::create_symlink("..", root / "code/up");
  const auto files = disk(root.string());
  CHECK(why_not_shown(*files, usual_sources(), {}, "code/a.cpp") == "");
  CHECK(why_not_shown(*files, usual_sources(), {}, "code/b.cpp") ==
        "\"code/b.cpp\" is a symbolic link; put the file itself there");
  CHECK(why_not_shown(*files, usual_sources(), {}, "code/up/code/a.cpp") ==
        "\"code/up\" is a symbolic link; put the directory itself there");
  fs::remove_all(root);
}

TEST_CASE("a file named like a secret is not shown, in any case", "[listing]") {
  const auto files = in_memory({});
  const auto refused = [&](const std::string& path) {
    return why_not_shown(*files, usual_sources(), {}, path)
               .find("has a name like a secret; to publish it") != std::string::npos;
  };
  for (const std::string name : {"server.pem",
                                 "server.PEM",
                                 "ID_RSA",
                                 "Id_Ed25519.pub",
                                 "tls.Key",
                                 "SECRETS.yaml",
                                 "a.Env",
                                 "passwords.txt",
                                 "secret.txt",
                                 "github_token.txt",
                                 "aws_credentials",
                                 "id_rsa_old",
                                 "kubeconfig",
                                 "x.ppk",
                                 "my_secret.py",
                                 "prod.kubeconfig",
                                 "Passwd",
                                 "client-secret.json",
                                 "clientsecret.json",
                                 "githubToken.txt",
                                 "api_key.txt",
                                 "apikeys.json",
                                 "private-key.txt",
                                 "service-account.json",
                                 "server.key.old",
                                 "a.env.production",
                                 "db.p12",
                                 "MyPassword.kt",
                                 "terraform.tfstate",
                                 "deploy.tfvars",
                                 "id-ecdsa.bak",
                                 "gcp-key.json",
                                 "private.asc"}) {
    INFO(name);
    CHECK(refused("src/" + name));
    CHECK(refused("src/" + name + "/a.cpp"));
    CHECK(why_not_shown(*files, usual_sources(), {"src/" + name}, "src/" + name) == "");
  }
  for (const char* name :
       {"Keyboard.cpp", "token.cpp", "token", "token.txt", "tokenizer.py", "next_token.py",
        "token_count.rs", "special_tokens.json", "secretary.py", "keys.cpp", "key_value.hpp",
        "rsa.py", "passes.cpp", "environment.py", "valid.py", "perkey.cpp", "keyed.pyx"}) {
    INFO(name);
    CHECK_FALSE(refused(std::string("src/") + name));
  }
}

TEST_CASE("a book may say which of its files may be read although they are named like secrets",
          "[listing]") {
  auto files = small_book::with("```listing\nsource: code/my_secret.py\n```\n");
  files["code/my_secret.py"] = "share = 1\n";
  CHECK(small_book::build(files).errors.find("list it under public_files in book.yaml") !=
        std::string::npos);
  const std::string yaml = files.at("chapters/book.yaml");
  files["chapters/book.yaml"] = yaml + "public_files: [code/my_secret.py]\n";
  CHECK(small_book::build(files).errors == "");
  // A path that does not exist, or is outside, does not allow later access.
  for (const char* path : {"code/gone.py", "../my_secret.py", "/etc/passwd", "code"}) {
    INFO(path);
    files["chapters/book.yaml"] = yaml + "public_files: [code/my_secret.py, " + path + "]\n";
    CHECK(small_book::build(files).errors.find("there is no file \"" + std::string(path) + '"') !=
          std::string::npos);
  }
  files[".env"] = "hunter2\n";
  files["chapters/en/second.md"] += "```listing\nsource: .env\n```\n";
  files["chapters/book.yaml"] = yaml + "public_files: [code/my_secret.py, .env]\n";
  CHECK(small_book::build(files).errors.find("is hidden; names that begin with a dot") !=
        std::string::npos);
}

TEST_CASE("a published page shows only committed files, if git knows them", "[listing]") {
  const auto files = small_book::with("```listing\nsource: wasm_kernels/add.cpp#body\n```\n");
  CHECK(small_book::publish_tracked(files, std::nullopt).errors == "");
  const std::string committed = "005864c73c4abe5e4d3f7972ec56548f4d92c2fb";
  CHECK(small_book::publish_tracked(files, TrackedFiles{{"wasm_kernels/add.cpp", committed}})
            .errors == "");
  const auto changed = small_book::publish_tracked(
      files, TrackedFiles{{"wasm_kernels/add.cpp", std::string(40, '0')}});
  CHECK(!changed.site.empty());
  CHECK(changed.errors.starts_with(
      "chapters/en/01-first.md:5:9: warning: \"wasm_kernels/add.cpp\" has uncommitted changes, "
      "which would be published [private-source]\n"));
  const auto built =
      small_book::publish_tracked(files, TrackedFiles{{"chapters/book.yaml", committed}});
  CHECK(built.site.empty());
  CHECK(built.errors.starts_with(
      "chapters/en/01-first.md:5:9: error: \"wasm_kernels/add.cpp\" is not committed; only "
      "committed files are published [private-source]\n"));
}

TEST_CASE("shaders are published in one file, without comments and with their lines", "[listing]") {
  const auto built = in_memory({{"wasm_kernels/webgpu/copy.wgsl",
                                 "// b = a.\n\n  fn copy() {  // all of it\n    b = a / 2;\n  }\n"},
                                {"wasm_kernels/webgpu/fill.wgsl", "fn fill() {}"},
                                {"wasm_kernels/webgpu/CMakeLists.txt", ""}});
  Diagnostics diagnostics;
  const auto modules = Modules::load(built.get(), primer::Unbuilt::refuse, diagnostics);
  CHECK(modules.all().at("kernels/shaders.json").bytes ==
        R"({"copy":"\n\nfn copy() {\nb = a / 2;\n}","fill":"fn fill() {}"})"
        "\n");
}

TEST_CASE("the language follows from the file's name", "[listing]") {
  CHECK(language_of_file("a/b.hpp") == "cpp");
  CHECK(language_of_file("a/b.wgsl") == "wgsl");
  CHECK(language_of_file("CMakeLists.txt") == "text");
}

TEST_CASE("listing: a profile of the review is a file for readers, too") {
  for (const char* path : {".env", "figures/profiles/.env", "figures/../.env.json", "secrets.json",
                           "notes.txt", "chapters/credentials.json", "/etc/passwd"}) {
    INFO(path);
    auto files = small_book::with("");
    files["chapters/book.yaml"] += "review: [" + std::string(path) + "]\n";
    files[path] = "PASSWORD=hunter2\n";
    const std::string errors = small_book::build(files).errors;
    CHECK(errors.find("[private-source]") != std::string::npos);
    CHECK(errors.find("hunter2") == std::string::npos);
  }
}
