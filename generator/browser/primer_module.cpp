// primer.wasm: the core in a page's worker.
#include <map>
#include <nlohmann/json.hpp>

#include "figures/page/module_exports.hpp"
#include "generator/base/pack.hpp"
#include "generator/browser/page_calls.hpp"
#include "generator/browser/page_maths.hpp"
#include "generator/pipeline/site.hpp"

using namespace primer;
using nlohmann::json;

namespace {

class NoCache : public Cache {
 public:
  bool was_empty() const override { return true; }
  std::optional<std::string> find(Kind, std::string_view) const override { return std::nullopt; }
  void store(Kind, std::string_view, std::string) override {}
  std::map<Kind, Tally> tallies() const override { return {}; }
};

std::unique_ptr<FileSystem> take_files(Unpacker& pack) {
  std::map<std::string, std::string> files;
  pack.take_each([&] {
    std::string path;
    pack.take(path);
    pack.take(files[path]);
  });
  return files.empty() ? nullptr : in_memory(std::move(files));
}

json make(std::string_view bytes) {
  Unpacker pack(bytes);
  const auto book = take_files(pack), site = take_files(pack), fonts = take_files(pack),
             minified = take_files(pack), modules = take_files(pack);
  NoCache cache;
  const Typesetting maths("", site->read("fonts/repertoire.txt").value_or(""), cache, {});
  SiteInputs inputs;
  inputs.book = book.get();
  inputs.assets = {site.get(), fonts.get(), minified.get(), modules.get(), nullptr, nullptr};
  inputs.typeset = [&](const auto& formulas) { return maths.render(formulas, convert_in_page); };
  SiteOptions options;
  options.base_url = no_base_url;
  Diagnostics diagnostics;
  json files = json::object();
  SiteSink sink{[&](const std::string& path, const std::string& text) {
    if (path.ends_with(".html") || (path.find("page.") != path.npos && path.ends_with(".json")))
      files[path] = text;
  }};
  make_site(inputs, options, sink, diagnostics);
  return {{"said", to_text(diagnostics, Format::text)}, {"files", files}};
}

}  // namespace

std::string module_answer(std::string_view asked) {
  const auto end = std::min(asked.find('\0'), asked.size());
  try {
    return make(asked.substr(std::min(end + 1, asked.size()))).dump();
  } catch (const GrammarNeeded& grammar) {
    return json{{"needs", grammar.name}}.dump();
  } catch (const std::exception& failure) {
    return json{{"error", failure.what()}}.dump();
  }
}

void module_reset() {}
