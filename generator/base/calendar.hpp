// Months and days as the book's files write them, "2026-11" and "2026-11-21": whether they exist, and
// whether they can have been by now.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

// The last day that a file of the book may name: that of its own month ("as_of", or empty), or tomorrow by
// this machine's clock (it is later somewhere), whichever is later. So a book builds with a clock that is
// behind, too.
std::string latest_day(std::string_view as_of);

// This machine's month, "2026-11".
std::string this_month();

// Why the text is not a date, or one after `latest` (a month or a day; empty: any will do): "there is no
// 2026-02-31". Nothing when it is one.
std::optional<std::string> date_fault(std::string_view date, std::string_view latest = {});

}  // namespace primer
