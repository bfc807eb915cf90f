#include "generator/cli/written_files.hpp"

#include <iostream>

#include "generator/base/characters.hpp"
#include "generator/host/book_files.hpp"

namespace primer {

void write_and_name(const std::string& book, const std::map<std::string, std::string>& files,
                    Diagnostics& diagnostics) {
  for (const auto& path : write_book_files(book, files, diagnostics))
    std::cout << visible(path) << '\n';
}

}  // namespace primer
