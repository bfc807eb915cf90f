// Part of stage "assemble": mustache templates.
//
// The library renders an unknown name as nothing, and its errors have no line. Names in a template
// are therefore checked when it is loaded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

// Values by name. {{name}} is escaped, {{{name}}} is not, and {{#name}}…{{/name}} is shown if the
// value is not empty.
using TemplateValues = std::map<std::string, std::string>;

class Template {
 public:
  // No value after a diagnostic: a missing file, a name that is not in `names`, or broken syntax.
  // {{word Contents}} becomes a UI string in the language of the frame, {{text Takeaway}} one in
  // the language of the text, which differs on an untranslated page. Strings are escaped like
  // values, so they cannot contain template syntax.
  static std::optional<Template> load(const FileSystem& site, const std::string& path,
                                      const std::vector<std::string>& names, const Messages& frame,
                                      const Messages& text, Diagnostics& diagnostics);
  // Adds `dir` attributes for right-to-left text. Safe to call from several threads.
  std::string render(const TemplateValues& values) const;
  const Digest& version() const;  // digest of the template and its strings

 private:
  struct Parsed;  // the library's templates that no thread is using
  Template(std::string text, TemplateValues words);
  std::shared_ptr<Parsed> parsed_;
};

}  // namespace primer
