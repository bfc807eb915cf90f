# Builds tree-sitter from source, as the library `tree_sitter`. With one version in all builds, they
# find the same syntax in code that has mistakes.
include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(tree-sitter tree_sitter_source)
add_library(tree_sitter STATIC ${tree_sitter_source}/lib/src/lib.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${tree_sitter_source}/lib/include
  PRIVATE ${tree_sitter_source}/lib/src)
target_compile_options(tree_sitter PRIVATE -w $<$<CONFIG:Release>:-O2>)
