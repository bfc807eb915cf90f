# Builds cmark-gfm from source, as the library `cmark_gfm`, because distributions differ in which
# bugs they have fixed.
include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
include(GenerateExportHeader)
debian_source(cmark-gfm cmark_source)

file(GLOB cmark_files ${cmark_source}/src/*.c ${cmark_source}/extensions/*.c)
list(REMOVE_ITEM cmark_files ${cmark_source}/src/main.c)
add_library(cmark_gfm STATIC ${cmark_files})

# Replaces the checks of its CMakeLists.txt, for compilers that support C99 and __attribute__.
set(cmark_made ${CMAKE_CURRENT_BINARY_DIR}/cmark_gfm)
set(HAVE_STDBOOL_H 1)
set(HAVE___BUILTIN_EXPECT 1)
set(HAVE___ATTRIBUTE__ 1)
configure_file(${cmark_source}/src/config.h.in ${cmark_made}/config.h)
# Its version header uses PROJECT_VERSION_…. Outside this function, these are our project's.
function(write_cmark_version)
  file(STRINGS ${cmark_source}/CMakeLists.txt lines REGEX "^set\\(PROJECT_VERSION_[A-Z]+ [0-9]+\\)")
  foreach(line ${lines})
    string(REGEX MATCH "(PROJECT_VERSION_[A-Z]+) ([0-9]+)" matched "${line}")
    set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endforeach()
  configure_file(${cmark_source}/src/cmark-gfm_version.h.in ${cmark_made}/cmark-gfm_version.h)
endfunction()
write_cmark_version()
generate_export_header(cmark_gfm BASE_NAME cmark-gfm
  EXPORT_FILE_NAME ${cmark_made}/cmark-gfm_export.h)

target_compile_definitions(cmark_gfm PUBLIC CMARK_GFM_STATIC_DEFINE)
target_include_directories(cmark_gfm SYSTEM PUBLIC ${cmark_made} ${cmark_source}/src
  ${cmark_source}/extensions)
# We do not fix warnings in third-party code.
target_compile_options(cmark_gfm PRIVATE -w $<$<CONFIG:Release>:-O2>)
