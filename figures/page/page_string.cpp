// std::string as the modules are compiled, so that none of libc++'s own machine code of it is linked: that passes a
// string_view through memory and the modules pass it as two arguments (figures/CMakeLists.txt), which the linker warns of,
// since a call with the wrong arguments would trap. It is also smaller. What libc++ leaves out of a program, because its
// library has it, is listed in its <string> for the library's own source, string.cpp, which does the same as this.
// A module that still needs a function of that source (std::to_string) brings the warning back, and the build's check of
// warnings fails.
#include <string>

#ifdef _LIBCPP_ABI_STRING_OPTIMIZED_EXTERNAL_INSTANTIATION
_LIBCPP_BEGIN_NAMESPACE_STD
#define DEFINE(...) template __VA_ARGS__;
_LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(DEFINE, char)
#undef DEFINE
template string operator+ <char, char_traits<char>, allocator<char>>(const char*, const string&);
_LIBCPP_END_NAMESPACE_STD
#endif
