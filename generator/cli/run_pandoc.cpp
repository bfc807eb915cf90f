#include "generator/cli/run_pandoc.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <system_error>

#include "generator/host/process.hpp"

namespace primer {
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds longest_run{60};
constexpr std::size_t most_memory = std::size_t{2} << 30U, most_output = std::size_t{128} << 20U;
constexpr std::uintmax_t most_media = 64 << 20;  // bytes of all images

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::map<std::string, std::string> files_below(const fs::path& directory) {
  std::map<std::string, std::string> files;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file(error) || at->is_symlink(error)) continue;
    if ((bytes += at->file_size(error)) > most_media) break;
    files[at->path().string()] = contents(at->path());
  }
  return files;
}

}  // namespace

Pandoc run_pandoc(const fs::path& program, const fs::path& scratch) {
  if (program.empty()) return {};
  return
      [program, scratch](const std::string& from, const std::string& to, const std::string& text) {
        const fs::path log = scratch / "log", media = scratch / "media";
        std::error_code ignored;
        fs::create_directory(scratch, ignored);
        PandocOutput output;
        // No text has a NUL, so the output is what is left when Pandoc closes it.
        LineProcess process('\0', most_output);
        const bool started =
            process.start({program.string(), "--sandbox", "--verbose", "--log=" + log.string(),
                           "--extract-media=" + media.string(), "--ipynb-output=all",
                           "--wrap=preserve", "--from=" + from, "--to=" + to});
        process.limit_memory(most_memory);
        process.send(text);
        process.end_input();
        const auto event = process.next_line(output.text, longest_run);
        output.text = process.take_rest();
        const int status = started && event == LineProcess::Event::closed ? process.finish() : -1;
        output.log = contents(log);
        output.media = files_below(media);
        fs::remove_all(media, ignored);
        fs::remove(log, ignored);
        if (event == LineProcess::Event::timeout)
          output.error = "Pandoc took more than " + std::to_string(longest_run.count()) + " s";
        else if (status != 0)
          output.error = "Pandoc cannot read this file; to see why: pandoc --from=" + from +
                         " FILE > /dev/null";
        return output;
      };
}

}  // namespace primer
