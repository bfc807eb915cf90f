// Heading ids as GitHub makes them, so that a fragment works in the raw file and on the page.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace primer {

// Lower case, punctuation dropped, spaces to hyphens: "Écrire ici" → "écrire-ici".
std::string github_slug(std::string_view heading);
// The id that it had before November 2026: letters beyond ASCII kept their case. Links to it still work.
std::string former_slug(std::string_view heading);
// The letters of every script in lower case, each by itself.
std::string lower_case(std::string_view text);
// The title that a name of this kind suggests: "on-your_own" → "On your own".
std::string title_of_slug(std::string slug);

// One per chapter: the second "setup" becomes "setup-1".
class Slugs {
 public:
  std::string unique(std::string_view heading);

 private:
  std::map<std::string, int> used_;
};

}  // namespace primer
