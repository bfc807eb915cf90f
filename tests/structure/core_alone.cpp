// The core, linked without the host: builds a site from files in memory, without the operating
// system.
#include <iostream>

#include "generator/core/pipeline/site.hpp"

int main() {
  const auto book = primer::in_memory({});
  const auto assets = primer::in_memory({});
  primer::SiteInputs inputs;
  inputs.book = book.get();
  inputs.assets.site = assets.get();
  inputs.typeset = [](const auto&) { return std::vector<figures::Result<std::string>>(); };
  primer::Diagnostics diagnostics;
  const auto site = primer::make_site(inputs, {}, diagnostics);
  const std::string said = primer::to_text(diagnostics, primer::Format::text);
  std::cout << said;
  return site.empty() && said.find("chapters/book.yaml") != said.npos ? 0 : 1;
}
