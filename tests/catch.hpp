// One include for Catch2 version 2 (Debian 12) and version 3 (Debian 13, Ubuntu 24.04).
// Use only what both have alike: WithinRel, WithinAbs, StartsWith (Approx and Contains differ).
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#else
#include <catch2/catch.hpp>
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
#endif
