// Months ("2026-11") and days ("2026-11-21") in the files of a book: whether they exist, and
// whether they are in the future.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

// The last day that a file of the book may name: the end of the book's own month (`as_of`, may be
// empty) or tomorrow by this machine's clock, whichever is later. Tomorrow, because another time
// zone may be a day ahead. The book's month, because a book must also build on a machine whose
// clock is slow.
std::string latest_day(std::string_view as_of);

// The current month by this machine's clock: "2026-11".
std::string this_month();

// Why `date` does not exist or is after `latest` (a month or a day; empty: no limit), for example
// "there is no 2026-02-31". Returns nothing if the date is valid.
std::optional<std::string> date_fault(std::string_view date, std::string_view latest = {});

}  // namespace primer
