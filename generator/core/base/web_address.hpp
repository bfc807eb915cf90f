// Checks external addresses: which ones a book may link to, and which host a reader expects behind
// a link.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

// Why a book must not link to an address ("https:", "http:" or "mailto:"), with a hint what to
// write instead: it names a user before the host, disguises the host, contains a control character
// or a backslash, or is a mail link with more than an address.
struct AddressFault {
  std::string message, hint;
};
std::optional<AddressFault> address_fault(std::string_view url);

// Why an address cannot be the base of a site or a repository, to which paths are appended. In
// addition to the reasons of address_fault(): it is neither https: nor http:, has a query, a
// fragment or a part "." or "..", or contains a character other than letters, digits, hyphens,
// periods, "_", "~" and "/".
std::optional<AddressFault> site_address_fault(std::string_view url);

// The host in lower case: "example.org" for "https://user@Example.org:80/x" and for
// "mailto:a@example.org". Empty if there is none.
std::string host_of(std::string_view url);

// The first host that the text of a link appears to name: "https://github.com", "see github.com/x",
// "a@github.com". Empty for other text; "Node.js" is not a host.
std::string host_named_by(std::string_view text);

// Whether a reader who expects one host is not misled by another: they are equal, with or without
// "www.", or the second is a subdomain of the first.
bool is_expected_host(std::string_view expected, std::string_view host);

}  // namespace primer
