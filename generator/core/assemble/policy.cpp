#include "generator/core/assemble/policy.hpp"

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

// Encodes the characters that would end a source in the policy. Browsers decode paths to compare
// them.
std::string source_of(const std::string& url) {
  std::string out;
  for (const char c : url)
    out += c == ';' || c == ',' || c == ' ' ? percent_encoded({&c, 1}) : std::string(1, c);
  return out;
}

}  // namespace

std::string content_policy(const std::string& base_url, const std::string& inlined) {
  const std::string base = source_of(base_url);
  const std::string scripts =
      base.empty() ? "'self'"
                   : base + "_/ " + base + "search/ " + base + "sw.js";  // also for workers
  return "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'self'; font-src 'self'; "
         "connect-src 'self'; img-src 'self' data: blob:; script-src " +
         scripts + (inlined.empty() ? "" : " '" + inlined + '\'') +
         " 'wasm-unsafe-eval'; "
         "trusted-types primer; require-trusted-types-for 'script'";
}

}  // namespace primer
