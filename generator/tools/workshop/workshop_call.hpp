// Requests and answers of the browser editor as JSON, for calls from a script.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "generator/tools/workshop/workshop.hpp"

namespace primer {

// Drafts: the texts of edited files, which the page stores in the browser.

// Texts by path. nullopt: there is no draft of that file.
using DraftTexts = std::map<std::string, std::optional<std::string>>;

// Writes the file and returns its draft. nullopt if the text is the published one.
std::optional<std::string> redraft(EditedFiles& files, const std::string& path, std::string text);

// Texts by path; null for a file without a draft.
nlohmann::json json_of(const DraftTexts& drafts);

class WorkshopCall {
 public:
  explicit WorkshopCall(Typesetting::Convert convert) : convert_(std::move(convert)) {}

  // Takes a JSON object with the member "do" and returns one. "open" and "bring" are followed by a
  // NUL and the bytes of a file. {"error": message} if the request is invalid.
  //
  // In the answers below, "diagnostics" is a list of diagnostics and "drafts" is
  // json_of(DraftTexts). A field is {name, help, kind, required, options, value, line, end}.
  //
  // open                 {pages: [{file, address, title, locale, original, kind}], blocks: names of
  //                      the blocks that have forms}; the pack of the book follows the request
  // bring {file}         {}; the text of a file next to the pack follows the request
  // read {file}          {text}; null if there is none
  // write {file, text}   {}
  // revert {file}        {}
  // make {file}          {diagnostics, page: {html, data} or null}
  // check                {diagnostics}
  // complete {file, before}
  //                      {typed, options: [{name, detail, about}]}; `before` is the line up to the
  //                      cursor, `typed` the part of a name at its end
  // facts {words}        {options}: the facts that contain all of these words
  // pages                {pages}: as for "open", then new chapters and machine profiles (locale "")
  // begin {slug, title}  {diagnostics, drafts or null}: begins a chapter
  // drop {file}          {drafts}: removes a chapter or profile that was begun here
  // keep {file, text, published}
  //                      {drafts, published}: applies a draft of an earlier session. Of a book.yaml it adds
  //                      the chapters, of a file of facts or references the entries, that the book
  //                      lacks, and the changes since `published`, the text that it was a draft of;
  //                      any other file gets the text
  // entry {kind, name}   {fields}: of a new "fact", "claim" or "reference" (entry_form.hpp)
  // enter {kind, values} {faults, drafts or null, published}: adds the entry unless there are
  //                      faults, which are diagnostics with a "field"; `values` maps fields to
  //                      lists of texts, `published` files of entries to their published texts
  // entered              {entries: [{file, id}]}: the entries that were added or changed here
  // withdraw {file, name}
  //                      {drafts, published}: undoes that; of a fact as "set" does
  // fact {name}          {fields}: of a form for "set"
  // set {name, values}   {diagnostics, drafts or null, published, changes: [{id, before, after}]}:
  //                      gives a fact these members and corrects the numbers of the whole book, as
  //                      `primer facts set` does. The diagnostics say why the fact cannot be set,
  //                      or what is still wrong with the book
  // form {text, line}    {form: {kind, line, end, fields} or null, diagnostics}: the block that
  //                      contains a line of a page's text (block_form.hpp)
  // field {text, line, name, value}
  //                      {line, end, lines}: the lines that set a field of the block to `value`, a
  //                      list of texts (empty: remove it), and the lines to replace. `line` is null
  //                      if a form cannot do that
  // beside {file}        {diagnostics, pairs: [{state, kind, here, there}] or null}: blocks of a
  //                      translation and its original (stamp.hpp), each {line, end, text} or null
  // stamp {file, line}   {diagnostics, text or null}: writes what `primer translate stamp` writes,
  //                      for the block at a line or, without one, for all
  std::string answer(std::string_view request);

 private:
  Typesetting::Convert convert_;
  std::unique_ptr<Workshop> workshop_;
};

}  // namespace primer
