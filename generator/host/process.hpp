// Starts other programs: `node` (formulas), `git` (dates) and Pagefind (`primer index`). Nothing in
// a book decides which files these are. `primer publish` replaces itself by its own script.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {

// Finds `name` in a list of directories like $PATH: the first executable, with all links resolved.
// Skips relative directories and everything below `not_below` (a book). Empty if there is none.
std::filesystem::path find_program_in(std::string_view directories, std::string_view name,
                                      const std::filesystem::path& not_below = {});
// The same in $PATH, or in the system's default directories if that is not set.
std::filesystem::path find_program(std::string_view name,
                                   const std::filesystem::path& not_below = {});

// The whole environment of a child process: a fixed list and the entries "NAME=value" in `own`.
// Nothing is inherited, so there is no NODE_OPTIONS, GIT_DIR or LD_PRELOAD, and no secret.
std::vector<std::string> program_environment(const std::vector<std::string>& own = {});

// The loader that an ELF program names. Empty for other files.
std::filesystem::path loader_of(const std::filesystem::path& program);

// Whether `path` is `directory` or below it. Both must be absolute and normal.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory);

// A child process that exchanges lines with this one. It may hang, die or write garbage: every wait
// has a limit, and the destructor kills it.

class LineProcess {
 public:
  enum class Event { line, closed, timeout };

  LineProcess() = default;
  // For lines that end with another character or may be longer.
  LineProcess(char end, std::size_t longest) : end_(end), longest_(longest) {}
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  ~LineProcess() { stop(); }

  // Starts a program that find_program() found. Its standard input and output are connected to this
  // object, and its standard error is discarded. It runs in / with program_environment(environment)
  // and inherits no other file descriptor. False: it could not be started.
  bool start(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment = {});
  bool running() const { return pid_ > 0; }

  // Limits the memory of the process, in bytes (only on Linux).
  void limit_memory(std::size_t bytes);

  // Queues text. next_line() writes it while it waits.
  void send(std::string_view text) { outgoing_ += text; }
  // Closes the process's standard input after the queued text.
  void end_input() { ends_input_ = true; }

  // Waits up to `patience` for the next line, which is returned without its end.
  Event next_line(std::string& line, std::chrono::milliseconds patience);

  // What came after the last line, when the process has closed its output.
  std::string take_rest() { return std::exchange(incoming_, {}); }

  // Waits a few seconds for the process to exit after it closed its output. Returns its exit
  // status, or -1 if it had to be killed or died from a signal. It is no longer running afterwards.
  int finish();

  // Kills the process if it is running, and drops queued text.
  void stop();

 private:
  bool read_some();
  void write_some();
  void forget();

  char end_ = '\n';
  std::size_t longest_ = 4 << 20;  // bytes; a longer line ends the process
  pid_t pid_ = 0;
  int socket_ = -1;
  std::size_t searched_ = 0;  // there is no line end before this offset
  std::string incoming_;
  std::string outgoing_;
  bool ends_input_ = false;  // close the input when `outgoing_` is written
};

}  // namespace primer
