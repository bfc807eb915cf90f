// Instantiates std::string with the flags of the modules, so that the linker takes none of libc++'s
// compiled code for it.
//
// libc++ passes a string_view through memory, while the modules pass it as two arguments
// (figures/CMakeLists.txt). The linker warns about such calls because they would trap. Our
// instantiation is also smaller. libc++ declares in <string> what its library instantiates, for its
// own string.cpp; this file instantiates the same. If a module uses another function of that file
// (std::to_string), the warning returns, and the build's check of warnings fails.
#include <string>

#ifdef _LIBCPP_ABI_STRING_OPTIMIZED_EXTERNAL_INSTANTIATION
_LIBCPP_BEGIN_NAMESPACE_STD
#define DEFINE(...) template __VA_ARGS__;
_LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(DEFINE, char)
#undef DEFINE
template string operator+ <char, char_traits<char>, allocator<char>>(const char*, const string&);
_LIBCPP_END_NAMESPACE_STD
#endif
