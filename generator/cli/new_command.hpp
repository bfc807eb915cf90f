// Commands that make files for authors: `primer new chapter`, `primer new book`,
// `primer new kernel`, `primer import`.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// Writes a new directory with all files or none. Reports an error and changes nothing if the
// directory exists and is not empty, is not a directory, or cannot be written.
void write_new_directory(const std::filesystem::path& directory,
                         const std::map<std::string, std::string>& files, Diagnostics& diagnostics);

struct NewChapterCommand {
  std::string book, slug;
  bool no_sandbox = false;
};

struct NewKernelCommand {
  std::string book, name;
  std::string source = "c";
  bool no_sandbox = false;
};

struct NewBookCommand {
  std::string directory;
  std::string title = {}, language = "en";
  bool no_sandbox = false;
};

// These return the exit status.
int run(const NewChapterCommand& command);
int run(const NewKernelCommand& command);
int run(const NewBookCommand& command);

// Writes files into the book (book_files.hpp) and prints their names. Reports what cannot be
// written.
void write_and_name(const std::string& book, const std::map<std::string, std::string>& files,
                    Diagnostics& diagnostics);

// `primer import`: converts a book of another tool into a new book.

struct ImportCommand {
  std::string from, directory;
  bool no_sandbox = false;
};

int run(const ImportCommand& command);  // returns the exit status

}  // namespace primer
