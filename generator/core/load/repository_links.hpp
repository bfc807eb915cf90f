// Links to a book's repository: view, edit and discuss a file. GitHub, GitLab and Forgejo spell
// these addresses differently.
#pragma once

#include <string>
#include <utility>

namespace primer {

struct RepositoryLinks {
  std::string address;          // https URL; empty: pages have no such links
  std::string branch = "main";  // or a tag
  std::string folder;           // the book's directory in it: "docs/", or empty
  std::string host;             // "github", "gitlab" or "forgejo"; empty: guess from the address

  bool empty() const { return address.empty(); }

  // Lines are 1-based; 0: the whole file. Paths are relative to the book.
  std::string file(const std::string& path, int first_line = 0, int last_line = 0) const;
  std::string edit(const std::string& path) const;
  std::string commit(const std::string& hash) const;
  // The address to which "/issues/new" is appended; empty without a repository.
  std::string issues() const;
  // The form to report a mistake on `page`, filled in as far as the host supports it.
  std::string report(const std::string& page, const std::string& build) const;

 private:
  std::string kind() const;
};

}  // namespace primer
