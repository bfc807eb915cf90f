// A book that is being edited: its pages and diagnostics are those of a build.
#include "generator/tools/workshop/workshop.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/tools/workshop/workshop_call.hpp"
#include "tests/catch.hpp"
#include "tests/generator/small_book.hpp"

using namespace primer;

namespace {

std::vector<figures::Result<std::string>> set_as_text(const std::vector<const Formula*>& formulas) {
  std::vector<figures::Result<std::string>> all;
  for (const auto* formula : formulas) all.push_back("<math><mi>" + formula->tex + "</mi></math>");
  return all;
}

const char* const body =
    "## One\n\nMemory: [3.35 TB/s](fact:h100-sxm.bandwidth). [There](second.md#only-section).\n";

BookPack packed(const small_book::Files& files) {
  const auto book = in_memory(files), site = in_memory(small_book::site_files());
  SiteInputs inputs;
  inputs.book = book.get();
  inputs.assets.site = site.get();
  inputs.typeset = [](const auto& formulas) {
    return std::vector<figures::Result<std::string>>(formulas.size(), std::string("<math></math>"));
  };
  auto made = pack_book(inputs, {});
  INFO(to_text(made.diagnostics, Format::text));
  REQUIRE(made.value);
  return std::move(*made.value);
}

const std::string first = "chapters/en/01-first.md";

std::string with_title(const std::string& text) { return "---\ntitle: First\n---\n" + text; }

}  // namespace

TEST_CASE("workshop: a page is the build's, before and after an edit") {
  Workshop workshop(packed(small_book::with(body)), set_as_text);
  CHECK(workshop.make(first).value->html ==
        small_book::build(small_book::with(body)).site.at("first/index.html"));

  const std::string edited = std::string(body) + "\nMore, of [this](second.md).\n";
  REQUIRE(workshop.files().write(first, with_title(edited)));
  const auto made = workshop.make(first);
  CHECK(made.diagnostics.empty());
  CHECK(made.value->html ==
        small_book::build(small_book::with(edited)).site.at("first/index.html"));

  workshop.files().revert(first);
  CHECK(workshop.make(first).value->html ==
        small_book::build(small_book::with(body)).site.at("first/index.html"));
}

TEST_CASE("workshop: diagnostics equal those of a build, and disappear with their cause") {
  Workshop workshop(packed(small_book::with(body)), set_as_text);
  for (const char* wrong :
       {"[3.35 TB/s](fact:h100-sxm.bandwith)\n", "[gone](second.md#gone)\n", "```quiz\nid: q\n",
        "$\\oops\n", "![no](nothing.svg)\n", "~~~figure\nspec: rund\n~~~\n"}) {
    CAPTURE(wrong);
    REQUIRE(workshop.files().write(first, with_title(wrong)));
    const auto made = workshop.make(first);
    CHECK(to_text(made.diagnostics, Format::text) ==
          to_text(small_book::diagnose(small_book::with(wrong)), Format::text));
    CHECK(made.value->html.empty() == made.diagnostics.has_errors());
  }
  REQUIRE(workshop.files().write(first, with_title(body)));
  CHECK(workshop.make(first).diagnostics.empty());
}

TEST_CASE("workshop: an edited fact is in the next page, a broken one in the diagnostics") {
  auto files = small_book::with(body);
  Workshop workshop(packed(files), set_as_text);
  const std::string facts = "chapters/facts/chips.json";
  std::string& text = files[facts];
  text.replace(text.find("3.35"), 4, "4.80");
  REQUIRE(workshop.files().write(facts, text));
  CHECK(to_text(workshop.make(first).diagnostics, Format::text) ==
        to_text(small_book::diagnose(files), Format::text));
  std::string& page = files[first];
  page.replace(page.find("3.35"), 4, "4.80");
  REQUIRE(workshop.files().write(first, page));
  CHECK(workshop.make(first).value->html == small_book::build(files).site.at("first/index.html"));

  text.erase(text.rfind('}'));
  REQUIRE(workshop.files().write(facts, text));
  CHECK(to_text(workshop.make(first).diagnostics, Format::text) ==
        to_text(small_book::diagnose(files), Format::text));
}

TEST_CASE("workshop: only a check finds what an edit makes wrong elsewhere") {
  Workshop workshop(packed(small_book::with(body)), set_as_text);
  const std::string second = "chapters/en/second.md";
  REQUIRE(workshop.files().write(second, "---\ntitle: Second\n---\n## Other\n\nText.\n"));
  CHECK(workshop.make(second).diagnostics.empty());
  const auto found = workshop.check().sorted();
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == first);
}

TEST_CASE("workshop: a pack keeps all of it, the same bytes each time, and damage is refused") {
  const std::string bytes = to_bytes(packed(small_book::with(body)));
  CHECK(bytes == to_bytes(packed(small_book::with(body))));
  auto again = book_pack_of(bytes);
  REQUIRE(again);
  CHECK(to_bytes(*again) == bytes);
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    CHECK_FALSE(book_pack_of(std::string_view(bytes).substr(0, length)));
  CHECK_FALSE(book_pack_of(bytes + "x"));
  CHECK_FALSE(book_pack_of("PK\x03\x04"));
}

TEST_CASE("workshop: texts of pages are next to the pack, and each is loaded when needed") {
  const auto files = small_book::with(body);
  BookPack pack = packed(files);
  const auto texts = take_apart(pack);
  REQUIRE(texts.size() == pack.pages.size());
  for (const auto& [name, text] : texts) CHECK(text_file(digest(text)) == name);
  auto again = book_pack_of(to_bytes(pack));
  REQUIRE(again);
  Workshop workshop(std::move(*again), set_as_text);

  const auto needed = [&](const auto& act) {
    try {
      act();
    } catch (const TextsNeeded& texts_needed) {
      return texts_needed.files;
    }
    return std::map<std::string, Digest>();
  };
  const auto wanted = needed([&] { workshop.make(first); });
  REQUIRE(wanted.size() == 1);
  REQUIRE(wanted.contains(first));
  CHECK(needed([&] { workshop.files().write(first, "x"); }) == wanted);
  CHECK_FALSE(workshop.files().bring(first, "another text"));
  CHECK_FALSE(workshop.files().bring("chapters/en/none.md", ""));
  REQUIRE(workshop.files().bring(first, texts.at(text_file(wanted.at(first)))));
  CHECK_FALSE(workshop.files().is_new(first));
  CHECK(workshop.make(first).value->html == small_book::build(files).site.at("first/index.html"));
  const auto places = workshop.names().of(ReferenceKind::place, first);
  CHECK(places.contains("second.md#only-section"));
  CHECK(places.contains("#one"));
  CHECK(needed([&] { workshop.check(); }).size() == texts.size() - 1);
}

TEST_CASE("workshop: nothing is written outside, nor more than a file may have") {
  Workshop workshop(packed(small_book::with(body)), set_as_text);
  for (const char* path : {"../x.md", "/etc/passwd", "a//b", "", "chapters/./x.md"})
    CHECK_FALSE(workshop.files().write(path, "text"));
  CHECK_FALSE(workshop.files().write("chapters/en/x.md", std::string(600 << 10, 'x')));
}

TEST_CASE("workshop: a chapter is begun as `primer new chapter` begins it, and taken back whole") {
  WorkshopCall call(set_as_text);
  using Json = nlohmann::json;
  const auto ask = [&](const Json& request, const std::string& attached = {}) {
    return Json::parse(call.answer(request.dump() + (attached.empty() ? "" : '\0' + attached)));
  };
  const auto are_placeholders = [](const Json& all) {
    return !all.empty() &&
           std::ranges::all_of(all, [](const Json& one) { return one["rule"] == "placeholder"; });
  };
  auto files = small_book::with(body);
  const std::size_t pages = ask({{"do", "open"}}, to_bytes(packed(files)))["pages"].size();
  const auto begin = [&](const char* slug, const char* title) {
    return ask({{"do", "begin"}, {"slug", slug}, {"title", title}});
  };
  const std::string third = "chapters/en/02-third.md", fourth = "chapters/en/03-fourth.md";
  const std::string book = "chapters/book.yaml", spec = "figures/specs/third.json";

  CHECK(begin("Third", "")["drafts"].is_null());
  CHECK(begin("Third", "")["diagnostics"][0]["suggestion"] == "third");
  const auto drafts = begin("third", "A third \"one\"")["drafts"];
  REQUIRE(drafts.size() == 3);
  for (const auto& [path, text] : drafts.items()) files[path] = text;
  const auto made = ask({{"do", "make"}, {"file", third}});
  CHECK(are_placeholders(made["diagnostics"]));
  CHECK(made["page"]["html"] == small_book::build(files).site.at("third/index.html"));
  const auto listed = ask({{"do", "pages"}})["pages"];
  REQUIRE(listed.size() == pages + 1);
  CHECK(listed.back()["file"] == third);
  CHECK(listed.back()["title"] == "A third \"one\"");
  CHECK(listed.back()["address"] == "third/");
  CHECK(are_placeholders(ask({{"do", "check"}})["diagnostics"]));

  const auto both = begin("fourth", "")["drafts"];
  CHECK(ask({{"do", "drop"}, {"file", first}})["drafts"].empty());
  const auto dropped = ask({{"do", "drop"}, {"file", third}})["drafts"];
  CHECK(dropped[third].is_null());
  CHECK(dropped[spec].is_null());
  const std::string rest = dropped[book];
  CHECK(rest.find("third") == rest.npos);
  CHECK(rest.find("slug: fourth\n    number: 3\n") != rest.npos);
  CHECK(ask({{"do", "read"}, {"file", spec}})["text"].is_null());
  CHECK(are_placeholders(ask({{"do", "make"}, {"file", fourth}})["diagnostics"]));
  CHECK(ask({{"do", "drop"}, {"file", fourth}})["drafts"][book].is_null());
  CHECK(ask({{"do", "pages"}})["pages"].size() == pages);
  CHECK(ask({{"do", "check"}})["diagnostics"].empty());

  for (const auto& [path, text] : drafts.items()) {
    if (path != book) ask({{"do", "write"}, {"file", path}, {"text", text}});
  }
  CHECK(ask({{"do", "keep"}, {"file", book}, {"text", drafts[book]}})["drafts"][book] ==
        drafts[book]);
  CHECK(ask({{"do", "pages"}})["pages"].size() == pages + 1);
}

TEST_CASE("workshop: a fact is entered, kept for another day, and taken back") {
  WorkshopCall call(set_as_text);
  using Json = nlohmann::json;
  const auto ask = [&](const Json& request, const std::string& attached = {}) {
    return Json::parse(call.answer(request.dump() + (attached.empty() ? "" : '\0' + attached)));
  };
  const std::string chips = "chapters/facts/chips.json", works = "chapters/facts/references.json";
  auto files = small_book::with(body);
  ask({{"do", "open"}}, to_bytes(packed(files)));
  const auto wrong = [&] {
    const std::string text = with_title("[450 GB/s](fact:h100-sxm.link)\n");
    ask({{"do", "write"}, {"file", first}, {"text", text}});
    return ask({{"do", "make"}, {"file", first}})["diagnostics"];
  };
  CHECK(wrong()[0]["rule"] == "unknown-fact");
  CHECK(ask({{"do", "entered"}})["entries"].empty());
  const auto fields = ask({{"do", "entry"}, {"kind", "fact"}, {"name", "h100-sxm.link"}})["fields"];
  CHECK(fields[0]["value"][0] == "h100-sxm.link");
  CHECK(fields[1]["kind"] == "choice");
  Json values = {{"id", {"h100-sxm.link"}}, {"file", {"chips.json"}}, {"value", {"450 GB/s"}}};
  const Json fact = {{"do", "enter"}, {"kind", "fact"}, {"values", values}};
  const auto refused = ask(fact);
  CHECK(refused["drafts"].is_null());
  CHECK(refused["faults"][0]["field"] == "sources");
  CHECK(refused["faults"][0]["message"] == "\"sources\" must have at least 1 entry");
  CHECK(ask({{"do", "entered"}})["entries"].empty());

  values["sources"] = {"nv"};
  const auto entered = ask({{"do", "enter"}, {"kind", "fact"}, {"values", values}});
  CHECK(entered["faults"].empty());
  CHECK(wrong().empty());
  CHECK(ask({{"do", "entered"}})["entries"] ==
        Json::array({{{"file", chips}, {"id", "h100-sxm.link"}}}));
  CHECK(ask({{"do", "enter"}, {"kind", "fact"}, {"values", values}})["faults"][0]["field"] == "id");
  const std::string draft = entered["drafts"][chips];

  std::string& published = files[chips];
  published.replace(published.find("989"), 3, "990");
  ask({{"do", "open"}}, to_bytes(packed(files)));
  const auto kept = ask({{"do", "keep"}, {"file", chips}, {"text", draft}})["drafts"][chips];
  CHECK(kept.get<std::string>().find("990 TFLOP/s") != std::string::npos);
  CHECK(wrong().empty());
  CHECK(ask({{"do", "keep"}, {"file", chips}, {"text", published}})["drafts"][chips].is_null());
  CHECK(wrong().size() == 1);
  CHECK(ask({{"do", "keep"}, {"file", chips}, {"text", "{"}})["drafts"][chips].is_null());
  const std::string added = "notes.txt";
  CHECK(ask({{"do", "keep"}, {"file", added}, {"text", "x"}})["drafts"][added] == "x");
  CHECK(ask({{"do", "keep"}, {"file", first}, {"text", files[first]}})["drafts"][first].is_null());

  ask({{"do", "keep"}, {"file", chips}, {"text", draft}});
  const auto withdraw = [&](const std::string& file, const char* id) {
    return ask({{"do", "withdraw"}, {"file", file}, {"name", id}})["drafts"];
  };
  CHECK(withdraw(chips, "h100-sxm.bandwidth")[chips] == kept);
  CHECK(withdraw(first, "x").empty());
  CHECK(withdraw(works, "nv")[works].is_null());
  CHECK(withdraw(chips, "h100-sxm.link")[chips].is_null());
  CHECK(wrong().size() == 1);
}

TEST_CASE("workshop: a fact is set with every number that follows from it, and taken back whole") {
  WorkshopCall call(set_as_text);
  using Json = nlohmann::json;
  const auto ask = [&](const Json& request, const std::string& attached = {}) {
    return Json::parse(call.answer(request.dump() + (attached.empty() ? "" : '\0' + attached)));
  };
  const std::string chips = "chapters/facts/chips.json", second = "chapters/en/second.md",
                    id = "h100-sxm.bandwidth";
  auto files = small_book::with(body);
  files[second] += "\nAgain [3.35 TB/s](fact:h100-sxm.bandwidth).\n";
  ask({{"do", "open"}}, to_bytes(packed(files)));

  const auto fields = ask({{"do", "fact"}, {"name", id}})["fields"];
  Json values = Json::object();
  for (const auto& field : fields) values[field["name"]] = field["value"];
  CHECK(values["value"] == Json::array({"3.35 TB/s"}));
  CHECK(values["sources"] == Json::array({"nv"}));
  CHECK(ask({{"do", "fact"}, {"name", "no.fact"}})["fields"].empty());

  const auto set = [&](const Json& with) {
    return ask({{"do", "set"}, {"name", id}, {"values", with}});
  };
  values["value"] = {"3.6 TQ/s"};
  CHECK(set(values)["drafts"].is_null());
  values["value"] = {"3.6 TB/s"};
  values["sources"] = {"none"};
  const auto refused = set(values);
  CHECK(refused["drafts"].is_null());
  CHECK(refused["diagnostics"][0]["rule"] == "unknown-citation");
  CHECK(ask({{"do", "read"}, {"file", chips}})["text"] == files[chips]);

  values["sources"] = {"nv"};
  values["note"] = {"page 3"};
  const auto answer = set(values);
  CHECK(answer["diagnostics"].empty());
  CHECK(answer["changes"][0] == Json{{"id", id}, {"before", "3.35 TB/s"}, {"after", "3.6 TB/s"}});
  REQUIRE(answer["drafts"].size() == 3);
  for (const auto& page : {first, second})
    CHECK(answer["drafts"][page].get<std::string>().find("[3.6") != std::string::npos);
  const std::string draft = answer["drafts"][chips];
  CHECK(draft.find("\"note\": \"page 3\"") != draft.npos);
  CHECK(answer["published"][chips] == files[chips]);
  CHECK(ask({{"do", "entered"}})["entries"] == Json::array({{{"file", chips}, {"id", id}}}));

  const auto undone = ask({{"do", "withdraw"}, {"file", chips}, {"name", id}})["drafts"];
  REQUIRE(undone.size() == 3);
  for (const auto& [path, text] : undone.items()) CHECK(text.is_null());

  // The book is published again with another fact, and the draft is applied to it.
  std::string& published = files[chips];
  const std::string before = published;
  published.replace(published.find("989"), 3, "990");
  ask({{"do", "open"}}, to_bytes(packed(files)));
  const auto kept = ask(
      {{"do", "keep"}, {"file", chips}, {"text", draft}, {"published", before}})["drafts"][chips];
  CHECK(kept.get<std::string>().find("990 TFLOP/s") != std::string::npos);
  CHECK(kept.get<std::string>().find("3.6 TB/s") != std::string::npos);
}

TEST_CASE(
    "workshop: a machine for the gallery is a file without a page, judged as a build judges it") {
  auto files = small_book::with(body);
  Workshop workshop(packed(files), set_as_text);
  const std::size_t pages = workshop.pages().size();
  const std::string profile = files["figures/profiles/test.json"];
  const auto judged = [&](const std::string& path, const std::string& text) {
    REQUIRE(workshop.files().write(path, text));
    const auto made = workshop.make(path);
    CHECK(made.value->html.empty());
    auto with_it = files;
    with_it[path] = text;
    const std::string said = to_text(made.diagnostics, Format::text);
    CHECK(said == to_text(small_book::diagnose(with_it), Format::text));
    REQUIRE(workshop.pages().size() == pages + 1);
    CHECK(workshop.pages().back().file == path);
    workshop.files().revert(path);
    return said;
  };
  const std::string path = "figures/profiles/mine.json";
  CHECK(judged(path, profile).find("error") == std::string::npos);
  CHECK(judged(path, profile.substr(0, profile.rfind('}'))).find(path) == 0);
  CHECK(judged(path, "{}").find(path) == 0);
  CHECK(judged("figures/profiles/My machine.json", profile).find("bad name for a profile") !=
        std::string::npos);
  CHECK(workshop.pages().size() == pages);
  CHECK(workshop.make(path).diagnostics.empty());
}

TEST_CASE("workshop: requests are JSON, and what makes no sense is refused in words") {
  WorkshopCall call(set_as_text);
  using Json = nlohmann::json;
  const auto ask = [&](const Json& request, const std::string& attached = {}) {
    return Json::parse(call.answer(request.dump() + (attached.empty() ? "" : '\0' + attached)));
  };
  CHECK(ask({{"do", "make"}, {"file", first}})["error"] == "no book is open");
  CHECK(ask({{"do", "open"}}, "nothing")["error"].is_string());
  const auto opened = ask({{"do", "open"}}, to_bytes(packed(small_book::with(body))));
  CHECK(opened["pages"][0]["address"] == "first/");
  CHECK(opened["pages"][0]["title"] == "First");
  CHECK(ask({{"do", "read"}, {"file", first}})["text"] == with_title(body));
  CHECK(ask({{"do", "read"}, {"file", "chapters/none.md"}})["text"].is_null());
  CHECK(
      ask({{"do", "write"}, {"file", first}, {"text", with_title("[1](fact:nothing)\n")}}).empty());
  const auto made = ask({{"do", "make"}, {"file", first}});
  CHECK(made["page"].is_null());
  CHECK(made["diagnostics"][0]["line"] == 4);
  CHECK(ask({{"do", "revert"}, {"file", first}}).empty());
  CHECK(ask({{"do", "make"}, {"file", first}})["page"]["html"].is_string());
  CHECK(ask({{"do", "check"}})["diagnostics"].empty());
  const auto typed = [&](const char* before) {
    return ask({{"do", "complete"}, {"file", first}, {"before", before}});
  };
  CHECK(typed("At [3](fact:h100-sxm.b")["options"][0]["name"] == "h100-sxm.bandwidth");
  CHECK(typed("At [3](fact:h100-sxm.b")["typed"] == "h100-sxm.b");
  CHECK(typed("At [3](fact:h100-sxm.b")["options"][0]["detail"] == "3.35 TB/s");
  CHECK(typed("As [@n")["options"][0]["name"] == "nv");
  CHECK(typed("[there](second.md#")["options"].size() == 1);
  CHECK(typed("plain words")["options"].empty());
  CHECK(ask({{"do", "facts"}, {"words", "NVIDIA tb/s"}})["options"].size() == 1);
  CHECK(ask({{"do", "facts"}, {"words", "nowhere"}})["options"].empty());
  CHECK(ask({{"do", "fly"}})["error"].is_string());
  CHECK(Json::parse(call.answer("["))["error"].is_string());
}
