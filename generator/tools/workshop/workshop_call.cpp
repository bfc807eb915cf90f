#include "generator/tools/workshop/workshop_call.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/base/ascii.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/json_entry.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/references.hpp"
#include "generator/tools/facts/fact_edit.hpp"
#include "generator/tools/forms/block_form.hpp"
#include "generator/tools/forms/entry_form.hpp"
#include "generator/tools/skeleton/skeleton.hpp"
#include "generator/tools/translate/stamp.hpp"
#include "generator/tools/workshop/workshop.hpp"

namespace primer {
std::optional<std::string> redraft(EditedFiles& files, const std::string& path, std::string text) {
  if (text != files.published(path) && files.write(path, text)) return text;
  files.revert(path);
  return std::nullopt;
}

nlohmann::json json_of(const DraftTexts& drafts) {
  auto texts = nlohmann::json::object();
  for (const auto& [path, text] : drafts) texts[path] = text ? nlohmann::json(*text) : nullptr;
  return texts;
}

namespace {
// Chapters that an author begins: the files of `primer new chapter`. They are drafts until they are
// published or removed.

std::string slug_of(const EditedFiles& files, const std::string& file) {
  Diagnostics reported_by_make;
  const auto book = load_book(files, reported_by_make);
  if (!book) return {};
  const auto found = std::ranges::find(book->chapters, file, &Entry::file);
  return found == book->chapters.end() ? std::string() : found->slug;
}

// The published book.yaml plus the chapters that only `draft` has.
std::optional<std::string> relisted(EditedFiles& files, const std::string& draft,
                                    const std::string& left_out) {
  const std::string published = files.published(book_file).value_or("");
  return redraft(files, book_file, with_chapters_of(published, draft, left_out));
}

// Writes the files of a new chapter. No value after a diagnostic.
std::optional<DraftTexts> begin_chapter(EditedFiles& files, const std::string& slug,
                                        const std::string& title, Diagnostics& diagnostics) {
  auto made = new_chapter(files, slug, diagnostics, title);
  if (!made) return std::nullopt;
  DraftTexts drafts;
  for (auto& [path, text] : *made) {
    files.write(path, text);
    drafts[path] = std::move(text);
  }
  return drafts;
}

// Removes such a chapter, its figure specification and its entry in book.yaml.
DraftTexts drop_chapter(EditedFiles& files, const std::string& file) {
  DraftTexts drafts;
  if (!files.is_new(file)) return drafts;
  const std::string slug = slug_of(files, file), spec = spec_of_chapter(slug);
  drafts[book_file] = relisted(files, files.read(book_file).value_or(""), slug);
  for (const auto& path : {file, spec}) {
    if (!files.is_new(path)) continue;
    files.revert(path);
    drafts[path] = std::nullopt;
  }
  return drafts;
}

// Adds the chapters that only `draft`, a book.yaml of an earlier session, has.
DraftTexts keep_chapters_of(EditedFiles& files, const std::string& draft) {
  return {{book_file, relisted(files, draft, {})}};
}

// Entries that an author adds to files of facts and references (entry_form.hpp), and facts with new
// values (fact_edit.hpp). They are drafts until they are published or removed.

struct EnteredEntry {
  std::string file, id;
};

// Null if the text is not a JSON object.
nlohmann::json object_in(const std::string& text) {
  Diagnostics reported_by_check;
  const auto file = parse_json("", text, reported_by_check);
  return file && file->value.is_object() ? file->value : nlohmann::json();
}

// Whether drafts of this file consist of entries.
bool has_entries(const std::string& file) {
  return file.starts_with(facts_directory) && file.ends_with(".json");
}

std::vector<EnteredEntry> entered_entries(const EditedFiles& files) {
  std::vector<EnteredEntry> all;
  for (const auto& path : files.edited()) {
    if (!has_entries(path)) continue;
    const auto published = object_in(files.published(path).value_or("{}")),
               draft = object_in(files.read(path).value_or(""));
    for (const auto& [id, value] : draft.items()) {
      // Derived facts change with those that they are derived from.
      const bool is_set = published.contains(id) && published[id] != value && value.is_object() &&
                          !value.contains("from");
      if (!published.contains(id) || is_set) all.push_back({path, id});
    }
  }
  return all;
}

// Adds the entries that only `draft`, a version of the file from an earlier session, has, except
// for `left_out`, and changes those that it changed. `before` is the file that it was a draft of.
DraftTexts keep_entries_of(EditedFiles& files, const std::string& file, const std::string& draft,
                           const std::string& before, const std::string& left_out = {}) {
  if (!has_entries(file)) return {};
  const std::string published = files.published(file).value_or("{}\n");
  const bool can = object_in(published).is_object() && object_in(draft).is_object();
  const std::string old = object_in(before).is_object() ? before : "{}";
  return {{file, redraft(files, file,
                         can ? with_entries_of(published, draft, left_out, old) : published)}};
}

// The published texts of edited files with entries. A draft is stored with it, so that it can be
// applied to a book that has been published again.
nlohmann::json published_entries(const EditedFiles& files) {
  auto texts = nlohmann::json::object();
  for (const auto& path : files.edited())
    if (has_entries(path)) texts[path] = files.published(path).value_or("{}\n");
  return texts;
}

// The drafts of all edited files. A file with the same entries as the published one is no draft.
DraftTexts all_drafts(EditedFiles& files) {
  DraftTexts drafts;
  for (const auto& path : std::set<std::string>(files.edited())) {
    std::string text = files.read(path).value_or("");
    const auto published = files.published(path);
    if (published && has_entries(path) && object_in(*published) == object_in(text))
      text = *published;
    drafts[path] = redraft(files, path, std::move(text));
  }
  return drafts;
}

// Answers about forms (workshop_call.hpp).

using Json = nlohmann::json;

const char* name_of(SchemaField::Kind kind) {
  switch (kind) {
    case SchemaField::Kind::text: return "text";
    case SchemaField::Kind::texts: return "texts";
    case SchemaField::Kind::flag: return "flag";
    case SchemaField::Kind::number: return "number";
    case SchemaField::Kind::choice: return "choice";
    default: return "elsewhere";
  }
}

Json as_json(const FormField& field) {
  return {{"name", field.schema.name},          {"help", field.schema.help},
          {"kind", name_of(field.schema.kind)}, {"required", field.schema.required},
          {"options", field.schema.options},    {"value", field.value},
          {"line", field.lines.first},          {"end", field.lines.end}};
}

Json as_json(const BlockForm& form) {
  Json fields = Json::array();
  for (const auto& field : form.fields) fields.push_back(as_json(field));
  return {{"kind", form.kind},
          {"line", form.lines.first},
          {"end", form.lines.end},
          {"fields", std::move(fields)}};
}

Json form_at(const std::string& text, int line) {
  Diagnostics diagnostics;
  const auto form = block_form(Source("", text), line, diagnostics);
  return {{"form", form ? as_json(*form) : Json()},
          {"diagnostics", Json::parse(to_text(diagnostics, Format::json))}};
}

Json edit_of(const std::string& text, int line, const std::string& name,
             const std::vector<std::string>& value) {
  const auto edit = with_field(Source("", text), line, name, value);
  if (!edit) return {{"line", nullptr}};
  return {{"line", edit->replaced.first}, {"end", edit->replaced.end}, {"lines", edit->lines}};
}

// Answers about entries (workshop_call.hpp).

Json as_json(const FieldFault& fault) {
  Diagnostics one;
  one.add(fault.diagnostic);
  Json told = Json::parse(to_text(one, Format::json)).front();
  told["field"] = fault.field;
  return told;
}

Json fields_of(const std::vector<FormField>& form) {
  Json fields = Json::array();
  for (const auto& field : form) fields.push_back(as_json(field));
  return {{"fields", std::move(fields)}};
}

Json enter(EditedFiles& files, const Json& request) {
  const Json kind = request.value("kind", Json());
  std::vector<FieldFault> faults;
  const auto made = enter_entry(files, kind.is_string() ? kind.get<std::string>() : "",
                                request.value("values", Json()), faults);
  Json told = Json::array();
  for (const auto& fault : faults) told.push_back(as_json(fault));
  Json answer = {{"faults", std::move(told)}, {"drafts", nullptr}};
  if (made && files.write(made->path, made->text)) {
    answer["drafts"] = json_of(DraftTexts{{made->path, made->text}});
    answer["published"] = published_entries(files);
  }
  return answer;
}

Json entered_in(const EditedFiles& files) {
  Json list = Json::array();
  for (const auto& [file, id] : entered_entries(files))
    list.push_back({{"file", file}, {"id", id}});
  return {{"entries", std::move(list)}};
}

Json refusal(const std::string& why) { return {{"error", why}}; }

// A text member, or "".
std::string text_of(const Json& request, const char* name) {
  const auto member = request.find(name);
  return member != request.end() && member->is_string() ? member->get<std::string>() : "";
}

// An integer member, or 0.
int number_of(const Json& request, const char* name) {
  const auto member = request.find(name);
  return member != request.end() && member->is_number_integer() ? member->get<int>() : 0;
}

// The texts in a list member.
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

// Applies a draft of an earlier session and returns what has become of it.
DraftTexts kept(EditedFiles& files, const std::string& file, const std::string& draft,
                const std::string& before) {
  if (file == book_file) return keep_chapters_of(files, draft);
  if (has_entries(file)) return keep_entries_of(files, file, draft, before);
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
  return refusal("the book cannot have this file: " + file);
}

// Changes a fact and the numbers of the book that follow from it.
Json set_fact(Workshop& workshop, const std::string& id, const Json& values) {
  EditedFiles& files = workshop.files();
  files.need_all();
  const auto first = [&](const char* name) {
    const auto all = texts_of(values, name);
    return all.empty() ? std::string() : std::string(trim(all.front()));
  };
  Diagnostics diagnostics;
  const auto edited = edit_fact(
      files, {id, first("value"), texts_of(values, "sources"), first("note"), first("read"), true},
      diagnostics);
  if (!edited) return {{"diagnostics", as_json(diagnostics)}, {"drafts", nullptr}};
  for (const auto& [path, text] : edited->files) files.write(path, text);
  Json changes = Json::array();
  for (const auto& [changed, before, after] : edited->changes)
    changes.push_back({{"id", changed}, {"before", before}, {"after", after}});
  Json answer = {{"diagnostics", as_json(workshop.fix())}, {"changes", std::move(changes)}};
  answer["published"] = published_entries(files);
  answer["drafts"] = json_of(all_drafts(files));
  return answer;
}

// Removes an entry that was added, or gives a fact its published members again.
Json withdraw(Workshop& workshop, const std::string& file, const std::string& id) {
  EditedFiles& files = workshop.files();
  const std::string published = has_entries(file) ? files.published(file).value_or("") : "";
  const Json all = object_in(published);
  if (!all.is_object() || !all.contains(id)) {
    return {{"drafts",
             json_of(keep_entries_of(files, file, files.read(file).value_or(""), published, id))},
            {"published", published_entries(files)}};
  }
  Json values = Json::object();
  for (const auto& [name, value] : all[id].items())
    values[name] = value.is_array() ? value : Json::array({value});
  return set_fact(workshop, id, values);
}

constexpr std::size_t most_options = 60;

Json option_of(const std::string& name, const KnownName& known) {
  return {{"name", name}, {"detail", known.detail}, {"about", known.about}};
}

// Names that begin with what was typed, then names that contain it.
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
    return refusal("the book cannot have this file: " + file);
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
    Json answer = {{"drafts", json_of(kept(workshop.files(), file, text_of(request, "text"),
                                           text_of(request, "published")))}};
    answer["published"] = published_entries(workshop.files());
    return answer;
  }
  if (what == "entry")
    return fields_of(
        entry_form(workshop.files(), text_of(request, "kind"), text_of(request, "name")));
  if (what == "enter") return enter(workshop.files(), request);
  if (what == "entered") return entered_in(workshop.files());
  if (what == "withdraw") return withdraw(workshop, file, text_of(request, "name"));
  if (what == "fact") return fields_of(fact_form(workshop.files(), text_of(request, "name")));
  if (what == "set")
    return set_fact(workshop, text_of(request, "name"), request.value("values", Json::object()));
  if (what == "form") return form_at(text_of(request, "text"), number_of(request, "line"));
  if (what == "field") {
    return edit_of(text_of(request, "text"), number_of(request, "line"), text_of(request, "name"),
                   texts_of(request, "value"));
  }
  if (what == "beside") return beside_original(workshop, file);
  if (what == "stamp") return stamp(workshop, file, number_of(request, "line"));
  if (what == "check") return {{"diagnostics", as_json(workshop.check())}};
  if (what != "revert") return refusal("unknown request \"" + what + '"');
  workshop.files().revert(file);
  return Json::object();
}

}  // namespace

std::string WorkshopCall::answer(std::string_view request) {
  const auto end = std::min(request.find('\0'), request.size());
  const auto asked = Json::parse(request.substr(0, end), nullptr, false);
  Json answer;
  if (!asked.is_object()) {
    answer = refusal("a request must be a JSON object");
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
                 : refusal("the book was published again: reload the page");
  } else {
    answer = done(*workshop_, asked);
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace primer
