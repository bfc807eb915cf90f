#include "generator/host/browser/worker_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/host/browser/page_calls.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;

Json parsed(const std::string& answer) { return Json::parse(answer, nullptr, false); }

std::string asked(const char* what, const std::string& root, const std::string& path) {
  const Json request = {{"do", what}, {"root", root}, {"path", path}, {"most", largest_file(path)}};
  return page_files(request.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::optional<std::string> WorkerFiles::load(const std::string& path) const {
  const std::string answer = asked("read", root_, path);
  return answer.empty() ? std::nullopt : std::optional(answer.substr(1));
}

std::vector<std::string> WorkerFiles::walk(const std::string& directory) const {
  std::vector<std::string> files;
  const Json answer = parsed(asked("list", root_, directory));
  if (answer.is_array()) files = answer.get<std::vector<std::string>>();
  std::ranges::sort(files);
  return files;
}

std::string WorkerFiles::link_in(const std::string& path) const {
  return asked("link_in", root_, path);
}

Unreadable WorkerFiles::why_unreadable(const std::string& path) const {
  const Json answer = parsed(asked("why", root_, path));
  if (!answer.is_object()) return {};
  return {answer.value("message", ""), answer.value("too_large", false)};
}

void add_worker_file(const std::string& path, std::string_view bytes) {
  std::string request = Json{{"do", "add"}, {"path", path}}.dump() + '\0';
  page_files(request.append(bytes));
}

}  // namespace primer
