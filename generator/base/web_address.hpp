// Addresses outside of the book: what they may be made of, and what a reader is told of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

// Why the book does not link to an address ("https:", "http:" or "mailto:"), as a message and a hint of
// what to write instead: it names a user before its host, hides its host, holds a control character or
// a backslash, or is a mail with more than an address.
struct AddressFault {
  std::string message, hint;
};
std::optional<AddressFault> address_fault(std::string_view url);

// Why an address is none below which a site or a repository can lie, to which paths are appended: what
// address_fault() says, or it is not https: or http:, or has a query, a fragment, a part "." or "..", or any
// character but letters, digits, hyphens, points, "_", "~" and "/".
std::optional<AddressFault> site_address_fault(std::string_view url);

// "example.org" of "https://user@Example.org:80/x", in lower case; of "mailto:a@example.org" that of
// the mail. Empty when there is none.
std::string host_of(std::string_view url);

// The first host that a link's text seems to lead to: of "https://github.com", "see github.com/x", "a@github.com".
// Empty for other text; "Node.js" is none.
std::string host_named_by(std::string_view text);

// Whether who expects one host is not misled by another: the same, with or without "www.", or one below it.
bool is_expected_host(std::string_view expected, std::string_view host);

}  // namespace primer
