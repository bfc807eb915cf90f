# primer.wasm, and grammar-<name>.wasm for each grammar. "bare" links the module alone, since no JavaScript of Emscripten's is
# used (site/runtime/write/primer_module.js); npm's wasm-opt does the shrinking, as for the modules of pages.
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
    # Of what -Oz does, what brings most, in a tenth of its time; and what -Oz does not: functions that are smaller than a call
    # are inlined, which halves the time that a page takes, for a hundredth more bytes.
    COMMAND ${WASM_OPT} --duplicate-function-elimination -aimfs 12 --inlining --simplify-locals --coalesce-locals --vacuum --reorder-locals
      --merge-blocks --optimize-instructions ${WASM_FEATURES} --strip-debug --strip-producers
      $<TARGET_FILE:${name}> -o $<TARGET_FILE:${name}>)
endfunction()

include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(libmd libmd_source)
add_library(libmd STATIC ${libmd_source}/src/sha1.c ${libmd_source}/src/sha2.c)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/libmd/config.h "")  # its configure script finds nothing that these two need
target_include_directories(libmd SYSTEM PUBLIC ${libmd_source}/include PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/libmd)
target_compile_options(libmd PRIVATE -w)

# The core, with what stands in for the sources that are left out of it (CMakeLists.txt).
add_executable(primer_module browser/primer_module.cpp browser/page_calls.cpp browser/page_maths.cpp
  browser/book_call.cpp browser/worker_files.cpp browser/grammar_modules.cpp browser/raster_heads.cpp browser/no_epub.cpp browser/checksum.cpp)
target_link_libraries(primer_module PRIVATE primer_core libmd)
set_property(SOURCE browser/book_call.cpp APPEND PROPERTY COMPILE_DEFINITIONS PRIMER_VERSION="${PROJECT_VERSION}")
set_target_properties(primer_module PROPERTIES OUTPUT_NAME primer)
# Markdown, YAML and JSON nest no deeper than their limits, and each level takes its part of the stack.
link_module(primer_module -sSTACK_SIZE=4MB -sINITIAL_MEMORY=32MB)
# What every reader of /write/ loads is worth a minute more: all of -Oz after that takes another fiftieth, and no time from a page.
add_custom_command(TARGET primer_module POST_BUILD COMMENT "Shrinking primer.wasm once more"
  COMMAND ${WASM_OPT} -Oz ${WASM_FEATURES} $<TARGET_FILE:primer_module> -o $<TARGET_FILE:primer_module>)

# The painter is compiled once, and linked with the one grammar of each module.
add_library(grammar_painter STATIC code/grammar_painter.cpp
  code/highlight_query.cpp code/query_pattern.cpp formats/text_pattern.cpp)
target_link_libraries(grammar_painter PUBLIC figures tree_sitter PRIVATE roofline_warnings)
foreach(language ${grammar_languages})
  add_executable(grammar-${language} browser/grammar_module.cpp)
  target_link_libraries(grammar-${language} PRIVATE grammar_painter primer_grammar_${language})
  link_module(grammar-${language} -sSTACK_SIZE=1MB)
endforeach()
