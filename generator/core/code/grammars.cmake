# Builds tree-sitter grammars from npm with their highlighting queries: one library
# `primer_grammar_<name>` per language for the browser editor, otherwise one library
# `primer_grammars`. A language's query is the concatenation of its files; later patterns win.
#   include(grammars.cmake)   then   target_link_libraries(primer_core PRIVATE primer_grammars)
include(core/code/tree_sitter.cmake)
include(${PROJECT_SOURCE_DIR}/cmake/grammar_packages.cmake)

set(own_queries ${CMAKE_CURRENT_LIST_DIR}/queries)

# Grammars whose parser is not in src/.
set(parser_of_typescript typescript/src)

function(published_query result language file)
  package_of(package ${language})
  set(${result} ${package}/queries/${file}.scm PARENT_SCOPE)
endfunction()

published_query(c_query c highlights)
published_query(cpp_query cpp highlights)
published_query(python_query python highlights)
published_query(bash_query bash highlights)
published_query(javascript_query javascript highlights)
published_query(javascript_parameters_query javascript highlights-params)
published_query(json_query json highlights)
published_query(rust_query rust highlights)
published_query(go_query go highlights)
published_query(java_query java highlights)
published_query(toml_query toml highlights)
published_query(typescript_query typescript highlights)

set(queries_of_c ${c_query})
set(queries_of_cpp ${c_query} ${cpp_query} ${own_queries}/cpp.scm)
set(queries_of_python ${python_query} ${own_queries}/python.scm)
set(queries_of_bash ${bash_query} ${own_queries}/bash.scm)
set(queries_of_javascript
  ${javascript_query} ${javascript_parameters_query} ${own_queries}/javascript.scm)
set(queries_of_json ${json_query} ${own_queries}/json.scm)
set(queries_of_rust ${rust_query})
set(queries_of_go ${go_query})
set(queries_of_java ${java_query})
set(queries_of_toml ${toml_query})
# TypeScript's query has only its additions to JavaScript's.
set(queries_of_typescript ${javascript_query} ${typescript_query} ${own_queries}/javascript.scm)

# add_grammars(LIBRARY LANGUAGE…) adds a library with the parsers of the languages and a grammars()
# that lists them.
function(add_grammars library)
  set(sources)
  set(grammar_table)
  set(grammar_declarations)
  foreach(language ${ARGN})
    package_of(source ${language})
    if(DEFINED parser_of_${language})
      string(APPEND source /${parser_of_${language}})
    else()
      string(APPEND source /src)
    endif()
    if(NOT EXISTS ${source}/parser.c)
      message(FATAL_ERROR "${source} is missing: run scripts/setup (or npm ci) first")
    endif()
    list(APPEND sources ${source}/parser.c)
    if(EXISTS ${source}/scanner.c)
      list(APPEND sources ${source}/scanner.c)
    endif()
    # Each grammar ships headers of its own version.
    set_source_files_properties(${source}/parser.c ${source}/scanner.c
      PROPERTIES COMPILE_OPTIONS "-I${source}")
    set(text)
    foreach(file ${queries_of_${language}})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(READ ${file} part)
      # Our query matcher does not support anchors. Java's query has one, so remove it; the pattern
      # then also matches later names of a method reference.
      string(REPLACE "(method_reference\n  . (identifier)" "(method_reference\n  (identifier)" part "${part}")
      string(APPEND text "${part}\n")
    endforeach()
    string(APPEND grammar_declarations "const TSLanguage* tree_sitter_${language}();\n")
    string(APPEND grammar_table
      "    {\"${language}\", tree_sitter_${language}, R\"scm(${text})scm\"},\n")
  endforeach()

  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp @ONLY CONTENT
[[// Made by generator/core/code/grammars.cmake.
#include "generator/core/code/highlight_query.hpp"

extern "C" {
@grammar_declarations@}

namespace primer {
namespace {

constexpr Grammar table[] = {
@grammar_table@};

}  // namespace

std::span<const Grammar> grammars() { return table; }

}  // namespace primer
]])

  add_library(${library} STATIC EXCLUDE_FROM_ALL ${sources} ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp)
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library} PUBLIC tree_sitter)
  # Generated code with megabytes of tables: warnings and sanitizers are of no use.
  target_compile_options(${library} PRIVATE -w -fno-sanitize=all $<$<COMPILE_LANGUAGE:C>:-O1>)
endfunction()

if(ROOFLINE_WORKSHOP)
  foreach(language ${grammar_languages})
    add_grammars(primer_grammar_${language} ${language})
  endforeach()
else()
  add_grammars(primer_grammars ${grammar_languages})
endif()
