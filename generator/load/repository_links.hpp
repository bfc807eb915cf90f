// Where the repository of a book shows, edits and discusses its files: hosts spell these addresses in three ways.
#pragma once

#include <string>
#include <utility>

namespace primer {

struct RepositoryLinks {
  std::string address;          // https URL, or empty: the pages then link to none
  std::string branch = "main";  // or a tag
  std::string folder;           // where the book lies in it: "docs/", or empty
  std::string host;  // "github", "gitlab" or "forgejo"; empty: what the address's host is

  bool empty() const { return address.empty(); }

  // The lines from 1; 0 for the whole file. Paths are the book's.
  std::string file(const std::string& path, int first_line = 0, int last_line = 0) const;
  std::string edit(const std::string& path) const;
  std::string commit(const std::string& hash) const;
  // What "/issues/new" is appended to; empty without a repository.
  std::string issues() const;
  // The form for a mistake on the page of this address, filled in as far as the host can.
  std::string report(const std::string& page, const std::string& build) const;

 private:
  std::string kind() const;
};

}  // namespace primer
