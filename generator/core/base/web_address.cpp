#include "generator/core/base/web_address.hpp"

#include <algorithm>

#include "figures/base/ascii.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using figures::lower;

constexpr std::string_view mail = "mailto:";
constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyz0123456789";

// The part between "://" and the path, query or fragment; empty if there is none.
std::string_view authority_of(std::string_view url) {
  const auto begin = url.find("://");
  if (begin == url.npos) return {};
  url.remove_prefix(begin + 3);
  return url.substr(0, url.find_first_of("/?#\\"));
}

std::string_view without_port(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

// Letters beyond ASCII are allowed here; the check of misleading links warns about them.
bool is_host_name(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    return host.find_first_not_of("0123456789abcdefABCDEF:.", 1) == host.size() - 1;
  }
  const auto labels = split(host, '.');
  return std::ranges::all_of(labels, [](std::string_view label) {
    return !label.empty() && label.front() != '-' && label.back() != '-' &&
           std::ranges::all_of(label, [](char c) {
             const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
             return static_cast<unsigned char>(c) >= 0x80 || c == '-' || c == '_' ||
                    letters_and_digits.find(small) != letters_and_digits.npos;
           });
  });
}

std::optional<AddressFault> mail_fault(std::string_view address) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-";
  const auto at = address.find('@');
  const bool good = at != address.npos && at > 0 && address.find_first_not_of(plain) == at &&
                    address.find('%') == address.npos && is_host_name(address.substr(at + 1));
  if (good) return std::nullopt;
  return AddressFault{"a mailto: link must contain one address and nothing else",
                      "write mailto:name@example.org, without '?' and the text after it"};
}

// Top-level domains that mark a word as an address. "Node.js" and "llama.cpp" end in none.
constexpr std::string_view domains[] = {
    "com", "org", "net", "edu", "gov", "mil", "int", "info",   "io",   "dev",  "app",    "ai", "co",
    "me",  "eu",  "uk",  "de",  "fr",  "ch",  "es",  "it",     "nl",   "ru",   "cn",     "jp", "kr",
    "in",  "br",  "us",  "ca",  "au",  "xyz", "top", "online", "site", "shop", "example"};

std::string_view without_www(std::string_view host) {
  return host.starts_with("www.") ? host.substr(4) : host;
}

}  // namespace

std::optional<AddressFault> address_fault(std::string_view url) {
  const bool control =
      std::ranges::any_of(url, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
  if (control || url.find('\\') != url.npos) {
    return AddressFault{"an address cannot contain backslashes or control characters", "write '/'"};
  }
  if (lower(url.substr(0, mail.size())) == mail) return mail_fault(url.substr(mail.size()));
  const std::string_view authority = authority_of(url);
  if (authority.find('@') != authority.npos) {
    return AddressFault{"the text before @ is a user name; the link leads to " +
                            in_quotes(authority.substr(authority.rfind('@') + 1)),
                        "write the host right after //"};
  }
  const std::string_view host = without_port(authority);
  const std::string_view port = authority.substr(host.size());
  const bool good_port =
      port.empty() || (port.starts_with(':') && port.size() > 1 && port.size() <= 6 &&
                       port.find_first_not_of("0123456789", 1) == port.npos);
  if (!is_host_name(host) || !good_port) {
    return AddressFault{in_quotes(authority) + " is not a valid host name",
                        "expected letters, digits and hyphens between dots, as in example.org"};
  }
  return std::nullopt;
}

std::optional<AddressFault> site_address_fault(std::string_view url) {
  constexpr const char* hint = "write it as https://example.org/book/";
  const bool web = url.starts_with("https://") || url.starts_with("http://");
  if (!web) return AddressFault{"the address is neither https:// nor http://", hint};
  if (auto fault = address_fault(url)) return fault;
  const std::string_view path = url.substr(url.find("://") + 3);
  constexpr std::string_view plain = "-._~/:[]";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != plain.npos) continue;
    const std::string which =
        c > ' ' && c < 0x7F ? in_quotes({&c, 1}) : std::string("such a character");
    return AddressFault{"a base address cannot contain " + which, hint};
  }
  for (const auto part : split(path, '/')) {
    if (part == "." || part == "..")
      return AddressFault{"an address cannot contain the part " + in_quotes(part), hint};
  }
  return std::nullopt;
}

std::string host_of(std::string_view url) {
  if (lower(url.substr(0, mail.size())) == mail) {
    const auto at = url.rfind('@');
    return at == url.npos ? "" : lower(url.substr(at + 1));
  }
  const std::string_view authority = authority_of(url);
  const auto at = authority.rfind('@');
  return lower(without_port(at == authority.npos ? authority : authority.substr(at + 1)));
}

namespace {

// Characters that browsers accept as a period in a host name.
std::string with_points(std::string_view text) {
  std::string out(text);
  for (const char* point : {"\uFF0E", "\u3002", "\uFF61", "\u2024"})
    out = replace_all(out, point, ".");
  return out;
}

// A word without the punctuation around it.
std::string_view bare(std::string_view word) {
  constexpr std::string_view around = "()[]{}<>\"',;:!?*_`";
  const auto first = word.find_first_not_of(around);
  if (first == word.npos) return {};
  word.remove_prefix(first);
  return word.substr(0, word.find_last_not_of(around) + 1);
}

std::string host_named_by_word(std::string_view text) {
  std::string_view name = text.substr(0, text.find_first_of("/?#:"));
  name = name.substr(name.rfind('@') + 1);  // npos + 1 is 0
  while (name.ends_with('.')) name.remove_suffix(1);
  const std::string host = lower(name);
  const auto last = host.rfind('.');
  if (last == host.npos || !is_host_name(host)) return {};
  const bool address =
      host.starts_with("www.") || text.find('@') != text.npos ||
      std::ranges::find(domains, std::string_view(host).substr(last + 1)) != std::end(domains);
  return address ? host : "";
}

}  // namespace

std::string host_named_by(std::string_view written) {
  const std::string pointed = with_points(written);
  const std::string_view text = trim(pointed);
  if (text.find("://") != text.npos) {
    // The first address in the text, wherever it starts: "see https://github.com".
    const auto colon = text.find("://");
    return host_of(text.substr(colon, text.find_first_of(" \t\n\"'<>()[]{}`", colon + 3) - colon));
  }
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_of(" \t\n", at), text.size());
    if (auto host = host_named_by_word(bare(text.substr(at, end - at))); !host.empty()) return host;
    at = end + 1;
  }
  return {};
}

bool is_expected_host(std::string_view expected, std::string_view host) {
  expected = without_www(expected);
  host = without_www(host);
  if (expected == host) return true;
  return host.size() > expected.size() && host.ends_with(expected) &&
         host[host.size() - expected.size() - 1] == '.';
}

}  // namespace primer
