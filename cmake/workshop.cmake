# primer.wasm: the generator's core for the browser editor at /write/, and one module per grammar
# (generator/host/browser/modules.cmake). Include this before any target, because these flags must
# also apply to the libraries.
if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "ROOFLINE_WORKSHOP is for Emscripten: use the preset workshop")
endif()
add_compile_definitions(PRIMER_WORKSHOP)
# Bitcode, as in the modules of pages: the link sees the whole module, which makes it smaller and
# faster.
add_compile_options($<$<CONFIG:Release>:-Oz> -flto $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -msign-ext)

# Links to the header-only libraries of the native build, because other headers in /usr/include are
# for the host system.
set(workshop_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${workshop_headers})
foreach(header nlohmann/json.hpp kainjow/mustache.hpp xxhash.h)
  find_path(place_of_${header} ${header} REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include /usr/local/include
    ENV CPLUS_INCLUDE_PATH)
  string(REGEX REPLACE "/.*" "" name ${header})
  file(CREATE_LINK ${place_of_${header}}/${name} ${workshop_headers}/${name} SYMBOLIC)
endforeach()
add_library(workshop_headers INTERFACE)
target_include_directories(workshop_headers SYSTEM INTERFACE ${workshop_headers})
add_library(nlohmann_json::nlohmann_json ALIAS workshop_headers)
