# `cmake --install build/release --prefix P` installs a relocatable tree for any book. primer finds
# share/under-the-roofline relative to itself (generator/cli/install_prefix.hpp); the tree there is
# laid out like this one. scripts/build makes the modules, the fonts, the style sheet, and the
# scripts with their packages.
set(share share/under-the-roofline)
install(CODE "
  foreach(made build/wasm/figures/page.wasm build/wasm/wasm_kernels/kernels-simd128.wasm build/fonts/stix-two-math.woff2)
    if(NOT EXISTS \"${PROJECT_SOURCE_DIR}/\${made}\")
      message(FATAL_ERROR \"\${made} is not built: run scripts/build first\")
    endif()
  endforeach()")
# A packed program has its own libraries here (install_libraries.cmake). DT_RPATH also applies to
# their dependencies.
target_link_options(primer PRIVATE $<$<PLATFORM_ID:Linux>:LINKER:--disable-new-dtags>)
set_target_properties(primer PROPERTIES INSTALL_RPATH "$<$<PLATFORM_ID:Linux>:$ORIGIN/../lib/under-the-roofline>")
install(TARGETS primer RUNTIME DESTINATION bin)
install(DIRECTORY site DESTINATION ${share} PATTERN package.json EXCLUDE PATTERN "*.mjs" EXCLUDE
  REGEX "/site/README.md$|/site/runtime/.*README.md$" EXCLUDE)
install(DIRECTORY build/wasm/figures build/wasm/wasm_kernels DESTINATION ${share}/build/wasm
  FILES_MATCHING PATTERN "*.wasm" PATTERN "*.wgsl" PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY build/fonts DESTINATION ${share}/build FILES_MATCHING PATTERN "*.woff2")
install(DIRECTORY build/minified DESTINATION ${share}/build OPTIONAL)
install(FILES generator/host/maths_helper.mjs generator/host/maths_conversion.mjs DESTINATION ${share}/generator/host)
install(FILES node_modules/temml/package.json node_modules/temml/LICENSE DESTINATION ${share}/node_modules/temml)
install(FILES node_modules/temml/dist/temml.mjs DESTINATION ${share}/node_modules/temml/dist)

# Files for publishing and measuring: scripts, the browser driver with its bundled packages, and Pagefind.
install(PROGRAMS scripts/publish DESTINATION ${share}/scripts)
install(FILES scripts/kept.mjs scripts/offline.mjs scripts/cards.mjs scripts/pdf.mjs DESTINATION ${share}/scripts)
install(FILES build/bundled/measure.mjs DESTINATION ${share}/scripts OPTIONAL)
install(FILES build/bundled/browsers.mjs build/bundled/browsers.LICENSES.txt DESTINATION ${share}/scripts/lib OPTIONAL)
install(DIRECTORY node_modules/@pagefind DESTINATION ${share}/node_modules USE_SOURCE_PERMISSIONS
  PATTERN "*.sha256" EXCLUDE PATTERN README.md EXCLUDE)

# Shell completions and the manual page.
install(CODE "set(primer \"$<TARGET_FILE:primer>\")")
install(CODE [[
  function(say directory file)
    set(place "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/${directory}")
    file(MAKE_DIRECTORY ${place})
    execute_process(COMMAND ${primer} ${ARGN} OUTPUT_FILE ${place}/${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  set(zsh site-functions)
  if("${CMAKE_INSTALL_PREFIX}" STREQUAL "/usr")
    set(zsh vendor-completions)  # where Debian's zsh looks for completions of packages
  endif()
  say(man/man1 primer.1 manual)
  say(bash-completion/completions primer completion bash)
  say(zsh/${zsh} _primer completion zsh)
  say(fish/vendor_completions.d primer.fish completion fish)]])

# Licences: ours, and those of everything that is compiled in or installed.
set(doc share/doc/under-the-roofline)
install(FILES LICENSE DESTINATION ${doc} RENAME copyright)
install(FILES LICENSE-TEXT README.md CHANGELOG.md DESTINATION ${doc})
function(licence_of name file)
  install(FILES ${file} DESTINATION ${doc}/licences RENAME ${name} OPTIONAL)
endfunction()
licence_of(fonts.md site/fonts/LICENSES.md)
licence_of(stix-two node_modules/@fontsource/stix-two-math/LICENSE)
licence_of(source-sans node_modules/source-sans/LICENSE.md)
licence_of(cmark-gfm build/sources/cmark-gfm/COPYING)
licence_of(yaml-cpp build/sources/yaml-cpp/LICENSE)
licence_of(pugixml.md build/sources/pugixml/LICENSE.md)
licence_of(tree-sitter build/sources/tree-sitter/LICENSE)
licence_of(pagefind node_modules/pagefind/LICENSE/LICENSE)
include(cmake/grammar_packages.cmake)
foreach(language ${grammar_languages})
  package_of(package ${language})
  install(FILES ${package}/LICENSE DESTINATION ${doc}/licences RENAME tree-sitter-${language})
endforeach()
foreach(headers nlohmann-json3-dev libcli11-dev libkainjow-mustache-dev libtomlplusplus-dev libxxhash-dev)
  licence_of(${headers} /usr/share/doc/${headers}/copyright)
endforeach()
