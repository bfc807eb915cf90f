// The workshop's requests and answers as JSON, for who calls it from a script.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "generator/workshop/workshop.hpp"

namespace primer {

class WorkshopCall {
 public:
  explicit WorkshopCall(Typesetting::Convert convert) : convert_(std::move(convert)) {}

  // `request` is a JSON object with "do", and for "open" a NUL and the pack after it. The answer is an object; {"error": words}
  // where the request makes no sense.
  //   open                 → {pages: [{file, address, title, locale, original, kind}], blocks: names of those that have forms}
  //   bring {file}, a NUL and a text  → {}: the text of a file that lies beside the pack
  //   read {file}          → {text}; null where there is none
  //   write {file, text}, revert {file}   → {}
  //   make {file}          → {diagnostics, page: {html, data} or null}
  //   check                → {diagnostics}
  //   complete {file, before}  → {typed, options: [{name, detail, about}]}: `before` is the line up to the cursor, `typed` what
  //                            of a name stands at its end
  //   facts {words}        → {options}: facts that have all of these words
  //   pages                → {pages}: as "open", and after them what was begun here: chapters, and profiles of machines, whose locale is empty
  //   begin {slug, title}  → {diagnostics, drafts or null}: a new chapter (begun_chapters.hpp). Of "drafts" the members are paths of
  //                            files and their texts, null of one that is as published
  //   drop {file}          → {drafts}: a chapter, or a profile, that was begun here is taken back
  //   keep {file, text}    → {drafts}: the book has what this draft of another day has besides: chapters of a book.yaml, entries of a
  //                            file of facts or references; another file is as the draft says
  //   entry {kind, name}   → {fields}: of a new "fact", "claim" or "reference" (entry_form.hpp); a field is as of "form", in no line
  //   enter {kind, values} → {faults, drafts or null}: the entry is in the book then, unless there are faults: diagnostics with a
  //                            "field". "values" are lists of texts by the names of fields
  //   entered              → {entries: [{file, id}]}: those that were entered here
  //   withdraw {file, name}  → {drafts}: such an entry is taken back
  //   form {text, line}    → {form: {kind, line, end, fields} or null, diagnostics}: the block of a page's text that a line is in
  //                            (block_form.hpp); a field is {name, help, kind, required, options, value, line, end}
  //   field {text, line, name, value}  → {line, end, lines}, line null where a form cannot: what takes the place of which lines when that field of the block
  //                            has these values, a list; an empty one leaves the field out
  //   beside {file}        → {diagnostics, pairs: [{state, kind, here, there}] or null}: a translation beside its original, block by
  //                            block (block_pairs.hpp); each of the two is {line, end, text}, or null where there is no such block
  //   stamp {file, line}   → {diagnostics, text or null}: the text that `primer translate stamp` writes, for the block at a line, or
  //                            without one for all; the book has it then
  std::string answer(std::string_view request);

 private:
  Typesetting::Convert convert_;
  std::unique_ptr<Workshop> workshop_;
};

}  // namespace primer
