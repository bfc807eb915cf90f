#include "registry.hpp"

namespace kernels {
namespace {

// Appends to a buffer. Once something did not fit, nothing more is written.
class Writer {
 public:
  Writer(char* out, std::size_t capacity) : out_(out), capacity_(capacity) {}

  void text(const char* s) {
    for (; *s; ++s) put(*s);
  }
  void string(const char* s) {  // the strings of the registry have no control characters
    put('"');
    for (; *s; ++s) {
      if (*s == '"' || *s == '\\') put('\\');
      put(*s);
    }
    put('"');
  }
  void member(const char* name, const char* value) {
    string(name);
    put(':');
    string(value);
    put(',');
  }
  void number(double x) {  // up to 2^63 with six decimals, which is enough for all parameters
    if (x < 0) {
      put('-');
      x = -x;
    }
    const auto whole = static_cast<unsigned long long>(x);
    digits(whole, 1);
    const auto millionths = static_cast<unsigned long long>((x - double(whole)) * 1e6 + 0.5);
    if (millionths) {
      put('.');
      digits(millionths, 6);
    }
  }
  void put(char c) {
    if (length_ + 1 < capacity_) out_[length_] = c;
    ++length_;
  }
  std::size_t finish() {
    if (length_ + 1 > capacity_) return 0;
    out_[length_] = 0;
    return length_;
  }

 private:
  void digits(unsigned long long x, int least) {
    char reversed[20];
    int count = 0;
    for (; x || count < least; x /= 10) reversed[count++] = char('0' + x % 10);
    while (count) put(reversed[--count]);
  }

  char* out_;
  std::size_t capacity_;
  std::size_t length_ = 0;
};

void param(Writer& json, const Param& p) {
  json.put('{');
  json.member("name", p.name);
  json.member("unit", p.unit);
  json.text("\"default\":");
  json.number(p.default_value);
  json.text(",\"min\":");
  json.number(p.min);
  json.text(",\"max\":");
  json.number(p.max);
  if (p.choice_count) {
    json.text(",\"choices\":[");
    for (int i = 0; i < p.choice_count; ++i) {
      if (i) json.put(',');
      json.number(p.choices[i]);
    }
    json.put(']');
  }
  json.text(",\"doc\":");
  json.string(p.doc);
  json.put('}');
}

}  // namespace

std::size_t describe(const Kernel& kernel, char* out, std::size_t capacity) {
  Writer json(out, capacity);
  json.put('{');
  json.member("id", kernel.id);
  json.member("variant", kernel.variant);
  json.member("title", kernel.title);
  json.member("unit", kernel.unit);
  json.member("class", kernel.roof_class);
  json.member("element", kernel.element);
  json.member("requires", kernel.needs);
  json.member("source", kernel.source);
  json.member("bytes_count", kernel.bytes_count);
  json.text("\"team\":");
  json.number(kernel.team);
  json.text(",\"params\":[");
  for (int i = 0; i < kernel.param_count(); ++i) {
    if (i) json.put(',');
    param(json, kernel.params[i]);
  }
  json.text("]}");
  return json.finish();
}

}  // namespace kernels
