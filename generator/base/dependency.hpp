// What something was made of, by name: an incremental build makes it anew when one of them changed.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>

#include "generator/base/digest.hpp"

namespace primer {

struct Dependency {
  enum class Kind : unsigned char {
    all_anchors,    // of all chapters, what other pages see of them
    anchors,        // `what` is the chapter's file
    directory,      // the names of all files below it
    fact,           // `what` is its id; empty: all facts
    file,           // its bytes
    given,          // by the build itself; `what` says it in words: "the settings of the book"
    original_term,  // as `term`, in the language of the original
    reference,      // a work; `what` is its id; empty: all works
    term,           // of the glossary in the page's language; `what` is its id; empty: all terms
    thing,          // what the fact `what` is about; empty: everything that facts are about
  };
  static constexpr Kind last = Kind::thing;

  Kind kind = Kind::file;
  std::string what;
  auto operator<=>(const Dependency&) const = default;

  static Dependency file(std::string path) { return {Kind::file, std::move(path)}; }
  static Dependency directory(std::string path) { return {Kind::directory, std::move(path)}; }
  static Dependency anchors(std::string path) { return {Kind::anchors, std::move(path)}; }
  static Dependency all_anchors() { return {Kind::all_anchors, {}}; }
  static Dependency given(std::string words) { return {Kind::given, std::move(words)}; }
};

// With the digest that each had (`absent`: a file that was not there).
using Dependencies = std::map<Dependency, Digest>;

}  // namespace primer
