// main() of every Catch2 test program: version 3 brings its own, version 2 generates it here.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
