# Builds primer.wasm, and grammar-<name>.wasm per grammar. "bare" links only the module, because
# site/runtime/write/primer_module.js replaces Emscripten's JavaScript. wasm-opt from npm shrinks
# the modules, as it does those of pages.
find_program(WASM_OPT wasm-opt PATHS ${PROJECT_SOURCE_DIR}/node_modules/.bin NO_DEFAULT_PATH REQUIRED)

set(WASM_FEATURES --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-exception-handling
  --enable-nontrapping-float-to-int --enable-simd --enable-reference-types --enable-multivalue)

function(link_module name)
  target_link_libraries(${name} PRIVATE roofline_warnings)
  target_link_options(${name} PRIVATE --oformat=bare -Wno-experimental -O1 --no-entry
    -sSTANDALONE_WASM -sWASM_BIGINT -sERROR_ON_WASM_CHANGES_AFTER_LINK -sFILESYSTEM=0
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=1GB -sMALLOC=emmalloc -fwasm-exceptions ${ARGN})
  set_target_properties(${name} PROPERTIES SUFFIX .wasm)
  add_custom_command(TARGET ${name} POST_BUILD COMMENT "Shrinking ${name}.wasm"
    # The most effective passes of -Oz, in a tenth of its time. In addition, functions smaller than
    # a call are inlined, which halves the running time for 1 % more bytes.
    COMMAND ${WASM_OPT} --duplicate-function-elimination -aimfs 12 --inlining --simplify-locals --coalesce-locals --vacuum --reorder-locals
      --merge-blocks --optimize-instructions ${WASM_FEATURES} --strip-debug --strip-producers
      $<TARGET_FILE:${name}> -o $<TARGET_FILE:${name}>)
endfunction()

include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(libmd libmd_source)
add_library(libmd STATIC ${libmd_source}/src/sha1.c ${libmd_source}/src/sha2.c)
# Its configure script finds nothing that these two files need.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/libmd/config.h "")
target_include_directories(libmd SYSTEM PUBLIC ${libmd_source}/include PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/libmd)
target_compile_options(libmd PRIVATE -w)

# The core, with browser versions of the sources that CMakeLists.txt excludes.
add_executable(primer_module host/browser/primer_module.cpp host/browser/page_calls.cpp host/browser/book_call.cpp
  host/browser/raster_heads.cpp host/browser/no_epub.cpp host/browser/checksum.cpp)
target_link_libraries(primer_module PRIVATE primer_core libmd)
set_property(SOURCE host/browser/book_call.cpp APPEND PROPERTY COMPILE_DEFINITIONS PRIMER_VERSION="${PROJECT_VERSION}")
set_target_properties(primer_module PROPERTIES OUTPUT_NAME primer)
# Parsers limit nesting, but every level uses stack.
link_module(primer_module -sSTACK_SIZE=4MB -sINITIAL_MEMORY=32MB)
# Every user of /write/ loads this module, so a full -Oz is worth another minute: 2 % fewer bytes at
# the same speed.
add_custom_command(TARGET primer_module POST_BUILD COMMENT "Shrinking primer.wasm once more"
  COMMAND ${WASM_OPT} -Oz ${WASM_FEATURES} $<TARGET_FILE:primer_module> -o $<TARGET_FILE:primer_module>)

# The painter is compiled once and linked with one grammar per module.
add_library(grammar_painter STATIC core/code/highlight_query.cpp core/formats/text_pattern.cpp)
target_link_libraries(grammar_painter PUBLIC figures tree_sitter PRIVATE roofline_warnings)
foreach(language ${grammar_languages})
  add_executable(grammar-${language} host/browser/grammar_module.cpp)
  target_link_libraries(grammar-${language} PRIVATE grammar_painter primer_grammar_${language})
  link_module(grammar-${language} -sSTACK_SIZE=1MB)
endforeach()
