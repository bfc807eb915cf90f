# `cmake --install build/release --prefix P`: a tree that can be moved anywhere, for any book. primer finds
# share/under-the-roofline from where it lies itself (generator/cli/install_prefix.hpp); the tree there is laid out as this one.
# The modules, the fonts and the style sheet are what scripts/build made.
set(share share/under-the-roofline)
install(CODE "
  foreach(made build/wasm/figures/page.wasm build/wasm/wasm_kernels/kernels-simd128.wasm build/fonts/stix-two-math.woff2)
    if(NOT EXISTS \"${PROJECT_SOURCE_DIR}/\${made}\")
      message(FATAL_ERROR \"\${made} is not built: run scripts/build first\")
    endif()
  endforeach()")
install(TARGETS primer RUNTIME DESTINATION bin)
install(DIRECTORY site DESTINATION ${share} PATTERN package.json EXCLUDE PATTERN "*.mjs" EXCLUDE)
install(DIRECTORY build/wasm/figures build/wasm/wasm_kernels DESTINATION ${share}/build/wasm
  FILES_MATCHING PATTERN "*.wasm" PATTERN "*.wgsl" PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY build/fonts DESTINATION ${share}/build FILES_MATCHING PATTERN "*.woff2")
install(DIRECTORY build/minified DESTINATION ${share}/build OPTIONAL)
install(FILES generator/host/maths_helper.mjs DESTINATION ${share}/generator/host)
install(FILES node_modules/temml/package.json node_modules/temml/LICENSE DESTINATION ${share}/node_modules/temml)
install(FILES node_modules/temml/dist/temml.mjs DESTINATION ${share}/node_modules/temml/dist)
install(FILES LICENSE LICENSE-TEXT DESTINATION ${share})
