#include "generator/core/assemble/assets.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/checksum.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {
namespace {

constexpr const char* fonts[] = {"figure-400.woff2",    "figure-600.woff2",
                                 "stix-two-math.woff2", "stix-two-math-complete.woff2",
                                 "text-italic.woff2",   "text-upright.woff2"};

constexpr std::string_view no_profile =
    R"({"schema":1,"created":"","results":[],"roofs":[],"levels":[],"devices":[]})";

constexpr const char* sheet_order = "styles/order.txt";

bool is_published(std::string_view path) {
  for (const std::string_view ending : {".js", ".css", ".json", ".svg", ".png"}) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

void add_fonts(const AssetDirectories& from, std::map<std::string, std::string>& files,
               Diagnostics& diagnostics) {
  if (!from.fonts) return;
  for (const char* font : fonts) {
    if (auto bytes = from.fonts->read(font)) {
      files["fonts/" + std::string(font)] = std::move(*bytes);
    } else if (!report_unreadable(*from.fonts, font, diagnostics, "fonts/") &&
               from.unbuilt == Unbuilt::refuse) {
      diagnostics.error(Rule::missing_module, "",
                        "the font " + std::string(font) + " is not built");
      diagnostics.hint("run scripts/build, or pass --fonts none to use the reader's own");
    }
  }
}

// The minified version of a file if scripts/minify.mjs made it from exactly this source, otherwise
// the source.
std::string minified_or_written(const FileSystem* minified, const std::string& path,
                                std::string source) {
  if (!minified || minified->read("source/" + path) != source) return source;
  return minified->read(path).value_or(source);
}

// The bytes of a listed file. Reports a file that cannot be read or has invisible characters in its
// name.
std::string listed(const FileSystem& files, const std::string& path, const std::string& root,
                   Diagnostics& diagnostics) {
  if (visible(path) != path) {
    diagnostics.error(Rule::file_unreadable, root + path, "its name contains invisible characters");
    return {};
  }
  auto bytes = files.read(path);
  if (!bytes && !report_unreadable(files, path, diagnostics, root)) {
    diagnostics.error(Rule::file_unreadable, root + path, "the file cannot be read");
  }
  return std::move(bytes).value_or("");
}

// The names in styles/order.txt, one per line without comments. Empty if the file is missing.
std::vector<std::string> named_sheets(const FileSystem& site) {
  const std::string text = site.read(sheet_order).value_or("");
  std::vector<std::string> names;
  for (const auto line : split(text, '\n')) {
    if (!line.empty() && !line.starts_with('#')) names.emplace_back(line);
  }
  return names;
}

// Concatenates all sheets: those in styles/order.txt in that order, then the rest by name. Reports
// a name without a sheet.
std::string style_sheet(const FileSystem& site, Diagnostics& diagnostics) {
  std::string source;
  std::set<std::string> rest;
  for (const auto& path : site.list("styles")) {
    if (path.ends_with(".css")) rest.insert(path);
  }
  for (const auto& name : named_sheets(site)) {
    if (const auto sheet = rest.extract("styles/" + name)) {
      source += listed(site, sheet.value(), "site/", diagnostics);
    } else {
      diagnostics.error(
          Rule::file_unreadable, "site/" + std::string(sheet_order),
          '\'' + name + "' is not a style sheet in this directory, or is listed twice");
    }
  }
  for (const auto& path : rest) source += listed(site, path, "site/", diagnostics);
  return source;
}

// Adds the browser editor next to its page. It contains the address of the shared files, so it
// cannot be one of them.
void add_workshop(const AssetDirectories& from, std::map<std::string, std::string>& files,
                  Diagnostics& diagnostics) {
  if (!from.workshop) return;
  for (const auto& path : from.workshop->list(".")) {
    if (path.ends_with(".wasm") || path.ends_with(".pack"))
      files["write/" + path] = listed(*from.workshop, path, "workshop/", diagnostics);
  }
}

// Hidden files are private, except for .well-known (RFC 8615).
bool is_hidden(std::string_view path) {
  const auto parts = split(path, '/');
  return std::ranges::any_of(
      parts, [](std::string_view part) { return part.starts_with('.') && part != ".well-known"; });
}

// Names and roofs of the newest recorded machines as JSON. Readers see their own next to them.
std::string recorded_machines(const Gallery* gallery) {
  constexpr std::size_t most = 50;
  std::vector<std::pair<std::string, std::string>> all;  // time of the measurement and name
  for (const auto& [name, machine] : gallery ? *gallery : Gallery()) {
    if (!machine.brief.empty()) all.emplace_back(machine.created, name);
  }
  if (all.size() > most) {
    std::ranges::sort(all, std::ranges::greater());
    all.resize(most);
  }
  std::ranges::sort(all, {}, [](const auto& one) { return one.second; });
  std::string list;
  for (const auto& [created, name] : all)
    list += (list.empty() ? "" : ",") + gallery->at(name).brief;
  return '[' + list + "]\n";
}

// The chips in the facts that have both a memory bandwidth and peaks per data type, as JSON in base
// units. Readers compare a kernel with them.
std::string chip_roofs(const figures::Facts& facts) {
  nlohmann::json chips = nlohmann::json::array();
  for (const auto& thing : facts.things()) {
    const auto* bandwidth = facts.find(thing.id + ".bandwidth");
    nlohmann::json peaks = nlohmann::json::object();
    const std::string peak = thing.id + ".peak.";
    auto fact = std::ranges::lower_bound(facts.all(), peak, {}, &figures::Fact::id);
    for (; fact != facts.all().end() && fact->id.starts_with(peak); ++fact)
      peaks[fact->id.substr(peak.size())] = fact->quantity.value;
    if (!bandwidth || peaks.empty()) continue;
    chips.push_back({{"id", thing.id},
                     {"title", thing.title},
                     {"bandwidth", bandwidth->quantity.value},
                     {"peaks", std::move(peaks)}});
  }
  return chips.dump() + '\n';
}

// Name of the processor. The profile's label is longer because it also names the browser.
std::string processor_of(const figures::Profile& profile) {
  for (const auto& device : profile.devices) {
    if (device.kind == "cpu" && !device.name.empty()) return device.name;
  }
  return profile.label();
}

// Languages that an index names and whose program and word list it contains. Pagefind's script does
// not report to the page if one of these is missing.
std::set<std::string> languages_of_index(const FileSystem& index) {
  std::set<std::string> languages;
  const auto list =
      nlohmann::json::parse(index.read("pagefind-entry.json").value_or(""), nullptr, false);
  if (!index.read("pagefind.js") || !list.is_object() || !list.contains("languages"))
    return languages;
  for (const auto& [name, language] : list["languages"].items()) {
    if (!language.is_object()) continue;
    const auto text = [&, &one = language](const char* key) {
      const auto found = one.find(key);
      return found != one.end() && found->is_string() ? found->get<std::string>() : "unknown";
    };
    if (index.read("wasm." + text("wasm") + ".pagefind") &&
        index.read("pagefind." + text("hash") + ".pf_meta"))
      languages.insert(name);
  }
  return languages;
}

}  // namespace

bool is_searchable(const Assets& assets, const std::string& language) {
  return assets.search_languages.contains(language) ||
         assets.search_languages.contains(language.substr(0, language.find('-')));
}

Assets collect_assets(const AssetDirectories& from, const Modules& modules, const Values& values,
                      Diagnostics& diagnostics) {
  std::map<std::string, std::string> shared;
  shared["style.css"] =
      minified_or_written(from.minified, "style.css", style_sheet(*from.site, diagnostics));
  // Sheets of pages that are not chapters, some for a single page by its slug.
  const std::string sheets = "sheets";
  for (const auto& path : from.site->list(sheets)) {
    const std::string name = path.substr(sheets.size() + 1);
    shared[name] =
        minified_or_written(from.minified, name, listed(*from.site, path, "site/", diagnostics));
  }
  for (const auto& path : from.site->list("runtime")) {
    if (!is_published(path)) continue;
    shared[path] =
        minified_or_written(from.minified, path, listed(*from.site, path, "site/", diagnostics));
  }
  for (const auto& language : languages_with_words(*from.site)) {
    const auto words = Messages::load_with_drawings(*from.site, from.book, language, diagnostics);
    if (!words) continue;
    shared["runtime/first_words." + language + ".js"] = words->first_script();
    shared["runtime/words." + language + ".js"] = words->script();
    shared["runtime/drawings." + language + ".js"] = words->drawings_script();
  }
  add_fonts(from, shared, diagnostics);
  for (const auto& [path, module] : modules.all()) shared[path] = module.bytes;
  if (!modules.all().empty())
    for (const auto& [path, module] : values.kernels->modules()) shared[path] = module.bytes;
  shared["reference.json"] = values.reference ? values.reference.text() : std::string(no_profile);
  shared["machines.json"] = recorded_machines(from.gallery);
  shared["chips.json"] = chip_roofs(values.facts);
  shared["registry.json"] = values.kernels->descriptions().dump() + '\n';

  std::string all;
  for (const auto& [path, bytes] : shared) all += path + '\n' + to_text(digest(bytes)) + '\n';
  Assets assets;
  if (values.reference) assets.reference = processor_of(*values.reference);
  assets.directory = "_/" + content_hash(all).substr(0, 8) + '/';
  if (const auto script = shared.find("runtime/write/frame.js"); script != shared.end())
    assets.frame_script = integrity(script->second);
  for (auto& [path, bytes] : shared) assets.files[assets.directory + path] = std::move(bytes);
  for (const auto& path : from.site->list("static")) {
    if (is_hidden(path)) continue;
    assets.files[path.substr(std::string_view("static/").size())] =
        listed(*from.site, path, "site/", diagnostics);
  }
  add_workshop(from, assets.files, diagnostics);
  if (!from.search) return assets;
  for (const auto& path : from.search->list(".")) {
    if (is_hidden(path)) continue;
    assets.files["search/" + path] = listed(*from.search, path, "search/", diagnostics);
  }
  assets.search_languages = languages_of_index(*from.search);
  return assets;
}

}  // namespace primer
