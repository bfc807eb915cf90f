#include "figures/base/result.hpp"

namespace figures {

Error::Error(std::string_view text, std::size_t at, std::size_t bytes, std::string_view nearest,
             Cause why)
    : message(text), offset(at), length(bytes), suggestion(nearest), cause(why) {}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

Error Error::as(Code what) && {
  code = what;
  return std::move(*this);
}

Error Error::of(std::string_view part) && {
  if constexpr (tells_authors) path = part;
  return std::move(*this);
}

Error Error::moved(std::size_t bytes) && {
  offset += bytes;
  return std::move(*this);
}

ErrorSlot::ErrorSlot(const Error& error) : error_(new Error(error)) {}
ErrorSlot::ErrorSlot(Error&& error) : error_(new Error(std::move(error))) {}
ErrorSlot::ErrorSlot(const ErrorSlot& other)
    : error_(other.error_ == nullptr ? nullptr : new Error(*other.error_)) {}
void ErrorSlot::drop() { delete error_; }

}  // namespace figures
