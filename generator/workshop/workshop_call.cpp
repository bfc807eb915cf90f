#include "generator/workshop/workshop_call.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/base/text.hpp"
#include "generator/translate/block_pairs.hpp"
#include "generator/translate/stamp.hpp"
#include "generator/workshop/begun_chapters.hpp"
#include "generator/workshop/entered_entries.hpp"
#include "generator/workshop/entry_call.hpp"
#include "generator/workshop/form_call.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;

Json refusal(const std::string& why) { return {{"error", why}}; }

// A member that is text; "" where there is none.
std::string text_of(const Json& request, const char* name) {
  const auto member = request.find(name);
  return member != request.end() && member->is_string() ? member->get<std::string>() : "";
}

// A member that is a whole number; 0 where there is none.
int number_of(const Json& request, const char* name) {
  const auto member = request.find(name);
  return member != request.end() && member->is_number_integer() ? member->get<int>() : 0;
}

// The texts of a member that is a list.
std::vector<std::string> texts_of(const Json& request, const char* name) {
  std::vector<std::string> texts;
  for (const auto& one : request.value(name, Json::array()))
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

Json listed(const std::vector<PackedPage>& pages) {
  Json list = Json::array();
  for (const auto& page : pages) {
    list.push_back({{"file", page.file},
                    {"address", page.address},
                    {"title", page.title},
                    {"locale", page.language},
                    {"original", page.original},
                    {"kind", page.is_chapter ? "chapter" : "page"}});
  }
  return {{"pages", std::move(list)}};
}

Json as_json(const Diagnostics& diagnostics) {
  return Json::parse(to_text(diagnostics, Format::json));
}

Json begun(Workshop& workshop, const std::string& slug, const std::string& title) {
  Diagnostics diagnostics;
  const auto drafts = begin_chapter(workshop.files(), slug, title, diagnostics);
  return {{"diagnostics", as_json(diagnostics)}, {"drafts", drafts ? json_of(*drafts) : Json()}};
}

// What a draft of another day is now.
DraftTexts kept(EditedFiles& files, const std::string& file, const std::string& draft) {
  if (file == book_file) return keep_chapters_of(files, draft);
  if (has_entries(file)) return keep_entries_of(files, file, draft);
  return {{file, redraft(files, file, draft)}};
}

Json made(Workshop& workshop, const std::string& file) {
  auto made = workshop.make(file);
  Json answer = {{"diagnostics", as_json(made.diagnostics)}, {"page", nullptr}};
  if (made.value && !made.value->html.empty())
    answer["page"] = {{"html", made.value->html}, {"data", made.value->data}};
  return answer;
}

Json read(Workshop& workshop, const std::string& file) {
  const auto text = workshop.files().read(file);
  return {{"text", text ? Json(*text) : Json()}};
}

Json write(Workshop& workshop, const std::string& file, std::string text) {
  if (workshop.files().write(file, std::move(text))) return Json::object();
  return refusal("the book can have no such file: " + file);
}

constexpr std::size_t most_options = 60;

Json option_of(const std::string& name, const KnownName& known) {
  return {{"name", name}, {"detail", known.detail}, {"about", known.about}};
}

// Names that begin with what was typed, then those that hold it elsewhere.
Json completed(Workshop& workshop, const std::string& file, const std::string& before) {
  const auto reference = unfinished_reference(before);
  Json begins = Json::array(), holds = Json::array();
  if (!reference) return {{"typed", ""}, {"options", begins}};
  for (const auto& [name, known] : workshop.names().of(reference->kind, file)) {
    const auto at = name.find(reference->name);
    Json& list = at == 0 ? begins : holds;
    if (at != name.npos && list.size() < most_options) list.push_back(option_of(name, known));
  }
  for (auto& one : holds) {
    if (begins.size() < most_options) begins.push_back(std::move(one));
  }
  return {{"typed", reference->name}, {"options", std::move(begins)}};
}

Json found_facts(Workshop& workshop, const std::string& words) {
  std::vector<std::string> wanted;
  for (const auto word : split(words, ' ')) {
    if (!word.empty()) wanted.push_back(figures::lower(word));
  }
  Json list = Json::array();
  for (const auto& [name, known] : workshop.names().of(ReferenceKind::fact, book_file)) {
    const std::string all = figures::lower(name + ' ' + known.detail + ' ' + known.about);
    const bool holds_all =
        std::ranges::all_of(wanted, [&](const auto& word) { return all.find(word) != all.npos; });
    if (holds_all && list.size() < most_options) list.push_back(option_of(name, known));
  }
  return {{"options", std::move(list)}};
}

Json as_json(const BlockPair::Lines& lines) {
  if (lines.first == 0) return nullptr;
  return {{"line", lines.first}, {"end", lines.end}, {"text", lines.text}};
}

const char* name_of(BlockPair::State state) {
  switch (state) {
    case BlockPair::State::current: return "current";
    case BlockPair::State::stale: return "stale";
    case BlockPair::State::unmarked: return "unmarked";
    case BlockPair::State::extra: return "extra";
    default: return "missing";
  }
}

Json beside_original(Workshop& workshop, const std::string& file) {
  Diagnostics diagnostics;
  const auto pairs = block_pairs(workshop.files(), file, diagnostics);
  Json answer = {{"diagnostics", as_json(diagnostics)}, {"pairs", nullptr}};
  if (!pairs) return answer;
  Json list = Json::array();
  for (const auto& pair : *pairs) {
    list.push_back({{"state", name_of(pair.state)},
                    {"kind", pair.kind},
                    {"here", as_json(pair.here)},
                    {"there", as_json(pair.there)}});
  }
  answer["pairs"] = std::move(list);
  return answer;
}

Json stamp(Workshop& workshop, const std::string& file, int line) {
  Diagnostics diagnostics;
  const auto text =
      stamped(workshop.files(), file, line > 0 ? std::optional(line) : std::nullopt, diagnostics);
  Json answer = {{"diagnostics", as_json(diagnostics)}, {"text", nullptr}};
  if (!text) return answer;
  if (!workshop.files().write(file, *text))
    return refusal("the book can have no such file: " + file);
  answer["text"] = *text;
  return answer;
}

Json done(Workshop& workshop, const Json& request) {
  const std::string what = text_of(request, "do"), file = text_of(request, "file");
  if (what == "read") return read(workshop, file);
  if (what == "write") return write(workshop, file, text_of(request, "text"));
  if (what == "make") return made(workshop, file);
  if (what == "complete") return completed(workshop, file, text_of(request, "before"));
  if (what == "facts") return found_facts(workshop, text_of(request, "words"));
  if (what == "pages") return listed(workshop.pages());
  if (what == "begin") return begun(workshop, text_of(request, "slug"), text_of(request, "title"));
  if (what == "drop") return {{"drafts", json_of(drop_chapter(workshop.files(), file))}};
  if (what == "keep") {
    return {{"drafts", json_of(kept(workshop.files(), file, text_of(request, "text")))}};
  }
  if (what == "entry")
    return entry_of(workshop.files(), text_of(request, "kind"), text_of(request, "name"));
  if (what == "enter") return enter(workshop.files(), request);
  if (what == "entered") return entered_in(workshop.files());
  if (what == "withdraw") {
    return {{"drafts", json_of(keep_entries_of(workshop.files(), file,
                                               workshop.files().read(file).value_or(""),
                                               text_of(request, "name")))}};
  }
  if (what == "form") return form_at(text_of(request, "text"), number_of(request, "line"));
  if (what == "field") {
    return edit_of(text_of(request, "text"), number_of(request, "line"), text_of(request, "name"),
                   texts_of(request, "value"));
  }
  if (what == "beside") return beside_original(workshop, file);
  if (what == "stamp") return stamp(workshop, file, number_of(request, "line"));
  if (what == "check") return {{"diagnostics", as_json(workshop.check())}};
  if (what != "revert") return refusal("the workshop does not know \"" + what + '"');
  workshop.files().revert(file);
  return Json::object();
}

}  // namespace

std::string WorkshopCall::answer(std::string_view request) {
  const auto end = std::min(request.find('\0'), request.size());
  const auto asked = Json::parse(request.substr(0, end), nullptr, false);
  Json answer;
  if (!asked.is_object()) {
    answer = refusal("a request is a JSON object");
  } else if (text_of(asked, "do") == "open") {
    auto pack = book_pack_of(request.substr(std::min(end + 1, request.size())));
    if (pack) workshop_ = std::make_unique<Workshop>(std::move(*pack), convert_);
    answer = pack ? listed(workshop_->pages()) : refusal(pack.error().message);
    answer["blocks"] = block_form_names();
  } else if (!workshop_) {
    answer = refusal("no book is open");
  } else if (text_of(asked, "do") == "bring") {
    const std::string file = text_of(asked, "file"),
                      text(request.substr(std::min(end + 1, request.size())));
    answer = workshop_->files().bring(file, text)
                 ? Json::object()
                 : refusal("the book was published anew: open the page again");
  } else {
    answer = done(*workshop_, asked);
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace primer
