#include "generator/core/load/repository_links.hpp"

#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"

namespace primer {
namespace {

// Encodes a path or branch; slashes are unchanged.
std::string in_address(const std::string& path) { return percent_encoded(path, "-_.~/"); }

}  // namespace

std::string RepositoryLinks::kind() const {
  if (!host.empty()) return host;
  const std::string named = host_of(address);
  if (named.find("gitlab") != named.npos) return "gitlab";
  for (const char* forge : {"codeberg", "forgejo", "gitea"}) {
    if (named.find(forge) != named.npos) return "forgejo";
  }
  return "github";
}

std::string RepositoryLinks::file(const std::string& path, int first_line, int last_line) const {
  const std::string here = kind(), in = in_address(branch) + '/' + in_address(folder + path);
  std::string lines;
  if (first_line > 0) {
    const std::string last = std::to_string(last_line);
    lines = "#L" + std::to_string(first_line) + (here == "gitlab" ? "-" + last : "-L" + last);
  }
  if (here == "gitlab") return address + "/-/blob/" + in + lines;
  if (here == "forgejo") return address + "/src/branch/" + in + lines;
  return address + "/blob/" + in + lines;
}

std::string RepositoryLinks::edit(const std::string& path) const {
  const std::string here = kind(), in = in_address(branch) + '/' + in_address(folder + path);
  if (here == "gitlab") return address + "/-/edit/" + in;
  return address + (here == "forgejo" ? "/_edit/" : "/edit/") + in;
}

std::string RepositoryLinks::commit(const std::string& hash) const {
  return address + (kind() == "gitlab" ? "/-/commit/" : "/commit/") + hash;
}

std::string RepositoryLinks::issues() const {
  return empty() || kind() != "gitlab" ? address : address + "/-";
}

// GitHub fills in the fields of .github/ISSUE_TEMPLATE/mistake.yml, or opens an empty issue if the
// file does not exist.
std::string RepositoryLinks::report(const std::string& page, const std::string& build) const {
  if (kind() == "github") {
    return address + "/issues/new?template=mistake.yml&page=" + percent_encoded(page) +
           "&build=" + percent_encoded(build);
  }
  const std::string title = percent_encoded(page), body = percent_encoded("Build: " + build);
  if (kind() == "gitlab")
    return address + "/-/issues/new?issue[title]=" + title + "&issue[description]=" + body;
  return address + "/issues/new?title=" + title + "&body=" + body;
}

}  // namespace primer
