#include "generator/core/publish/flat_page.hpp"

#include <algorithm>
#include <string_view>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

bool is_module(std::string_view tag) {
  return tag.starts_with("<script type=\"module\"") ||
         tag.starts_with("<link rel=\"modulepreload\"");
}

std::string with_file_address(std::string_view tag) {
  constexpr std::string_view attribute = " href=\"";
  const auto at = tag.find(attribute);
  if (at == tag.npos) return std::string(tag);
  const auto begin = at + attribute.size(), end = std::min(tag.find('"', begin), tag.size());
  return std::string(tag.substr(0, begin)) +
         file_address(std::string(tag.substr(begin, end - begin))) + std::string(tag.substr(end));
}

}  // namespace

std::string file_address(const std::string& address) {
  const auto end = std::min(address.find_first_of("?#"), address.size());
  const std::string_view path = std::string_view(address).substr(0, end);
  const bool is_elsewhere = path.empty() || path.starts_with('/') || path.find(':') != path.npos;
  const auto name = path.substr(path.rfind('/') + 1);
  if (is_elsewhere || !(name.empty() || name == "." || name == "..")) return address;
  return std::string(path) + (name.empty() ? "" : "/") + "index.html" + address.substr(end);
}

std::string flat_page(const std::string& html, const std::string& notice) {
  std::string out;
  std::string_view rest = html;
  while (!rest.empty()) {
    const auto open = std::min(rest.find('<'), rest.size());
    out += rest.substr(0, open);
    rest.remove_prefix(open);
    const auto close = std::min(rest.find('>'), rest.size() - 1) + 1;
    const std::string_view tag = rest.empty() ? rest : rest.substr(0, close);
    rest.remove_prefix(tag.size());
    if (is_module(tag)) {
      if (rest.starts_with("</script>")) rest.remove_prefix(std::string_view("</script>").size());
      continue;
    }
    out += with_file_address(tag);
    if (tag.starts_with("<main ")) out += '\n' + notice;
  }
  return out;
}

}  // namespace primer
