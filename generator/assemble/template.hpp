// Stage "assemble", the mechanical half: mustache templates.
//
// The library renders a missing name as nothing and its errors have no line, so a template's names
// are held against the known ones when it is loaded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/messages.hpp"

namespace primer {

// Values of a template: {{name}} is escaped, {{{name}}} is not, {{#name}}…{{/name}} is shown when
// the value is not empty.
using TemplateValues = std::map<std::string, std::string>;

class Template {
 public:
  // Nothing after a diagnostic: no such file, a name that is not in `names`, or broken syntax.
  // {{word Contents}} becomes the word of the page's frame, {{text Takeaway}} that of its text,
  // which is in another language where a chapter is not translated. Words are values, escaped like
  // others: nothing in them is a part of the template.
  static std::optional<Template> load(const FileSystem& site, const std::string& path,
                                      const std::vector<std::string>& names, const Messages& frame,
                                      const Messages& text, Diagnostics& diagnostics);
  // With `dir` where the text runs from right to left. Safe to call from several threads.
  std::string render(const TemplateValues& values) const;
  const Digest& version() const;  // of its text and its words

 private:
  struct Parsed;  // the library's, idle ones for whoever renders next
  Template(std::string text, TemplateValues words);
  std::shared_ptr<Parsed> parsed_;
};

}  // namespace primer
