// A child process that is spoken to in lines. It may hang, die or write nonsense: every wait has an
// end, and destroying the object kills it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

class LineProcess {
 public:
  enum class Event { line, closed, timeout };

  LineProcess() = default;
  // Where its lines do not end with a line break, or may be long.
  LineProcess(char end, std::size_t longest) : end_(end), longest_(longest) {}
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  ~LineProcess() { stop(); }

  // Starts a program (found by find_program()) with its standard input and output joined to this object and
  // its error output thrown away, in the directory /, with program_environment(environment), and with no
  // other file of this process. False when it cannot be started.
  bool start(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment = {});
  bool running() const { return pid_ > 0; }

  // What the process may take for itself from now on, in bytes (Linux; elsewhere nothing is limited).
  void limit_memory(std::size_t bytes);

  // Queues text; it is written while next_line() waits.
  void send(std::string_view text) { outgoing_ += text; }

  // The next line, without its end, within `patience`.
  Event next_line(std::string& line, std::chrono::milliseconds patience);

  // Once its output has ended: the exit status of the process, which has a few seconds to end by itself; -1 when
  // it does not, or was killed. It does not run afterwards.
  int finish();

  // Kills the process, if it runs, and forgets what was queued.
  void stop();

 private:
  bool read_some();
  void write_some();
  void forget();

  char end_ = '\n';
  std::size_t longest_ = 4 << 20;  // a line longer than this is nonsense
  pid_t pid_ = 0;
  int socket_ = -1;
  std::size_t searched_ = 0;  // no line ends before here
  std::string incoming_;
  std::string outgoing_;
};

}  // namespace primer
