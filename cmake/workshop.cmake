# primer.wasm: the generator's core for the page /write/, and a module for each grammar (generator/browser/modules.cmake).
# Included before any target: all of it is compiled alike, libraries too.
if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "ROOFLINE_WORKSHOP is for Emscripten: use the preset workshop")
endif()
add_compile_definitions(PRIMER_WORKSHOP)
# Bitcode, as for the modules of pages: the link sees the whole module, which is smaller and faster.
add_compile_options($<$<CONFIG:Release>:-Oz> -flto $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -msign-ext)

# Libraries that are headers alone, the same that the native build reads: links to them, because what lies beside them in
# /usr/include is of another system.
set(workshop_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${workshop_headers})
foreach(header nlohmann/json.hpp valijson/validator.hpp kainjow/mustache.hpp xxhash.h)
  find_path(place_of_${header} ${header} REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include /usr/local/include
    ENV CPLUS_INCLUDE_PATH)
  string(REGEX REPLACE "/.*" "" name ${header})
  file(CREATE_LINK ${place_of_${header}}/${name} ${workshop_headers}/${name} SYMBOLIC)
endforeach()
add_library(workshop_headers INTERFACE)
target_include_directories(workshop_headers SYSTEM INTERFACE ${workshop_headers})
add_library(nlohmann_json::nlohmann_json ALIAS workshop_headers)
