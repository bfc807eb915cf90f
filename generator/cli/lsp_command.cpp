#include "generator/cli/lsp_command.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>

#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"
#include "generator/language/language_server.hpp"
#include "generator/language/message_stream.hpp"

namespace primer {
namespace {

// Who types is told when he rests.
constexpr int rest_ms = 150;

// What has come, to the stream. False at its end.
bool read_some(MessageStream& stream) {
  std::array<char, 65536> bytes;
  const auto count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR;
  stream.add({bytes.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

}  // namespace

int run(const LspCommand& command) {
  auto options = build_options(command);
  options.site.unbuilt = Unbuilt::do_without;
  const auto user = prepare(options);
  auto sandbox = site_sandbox(options, {user.cache});
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  LanguageServer server(std::move(options), *cache, [](const nlohmann::json& message) {
    std::cout << framed(message) << std::flush;
  });
  MessageStream stream;
  while (!server.has_ended() && !stream.is_broken()) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, server.is_stale() ? rest_ms : -1);
    if (ready == 0) {
      server.check();
      cache->flush();
    } else if (ready > 0 && !read_some(stream)) {
      break;
    }
    while (const auto message = stream.next()) server.receive(*message);
  }
  return server.exit_status();
}

}  // namespace primer
