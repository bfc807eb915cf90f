// Writes an answer as JSON text, member by member. The writer of a JSON library would make a page's
// module a tenth larger.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/draw/rendering.hpp"

namespace figures {

class Reply {
 public:
  Reply& text(std::string_view name, std::string_view value);
  Reply& number(std::string_view name, double value);  // twelve significant digits
  Reply& flag(std::string_view name, bool value);
  Reply& object(std::string_view name, const Reply& value);
  Reply& texts(std::string_view name, const std::vector<std::string>& values);
  Reply& rows(std::string_view name, const std::vector<std::vector<std::string>>& rows);
  // Writes svg, width, height, title, description and table.
  Reply& drawing(const Rendering& drawing);
  std::string str() const { return (out_.empty() ? "{" : out_) + "}"; }

 private:
  void key(std::string_view name);
  void list(const std::vector<std::string>& values);
  void quote(std::string_view value);

  std::string out_;
};

}  // namespace figures
