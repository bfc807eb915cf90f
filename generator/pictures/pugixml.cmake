# pugixml from its source, as the library `pugixml::pugixml`: the same for every build.
include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(pugixml pugixml_source)
add_library(pugixml STATIC ${pugixml_source}/src/pugixml.cpp)
target_include_directories(pugixml SYSTEM PUBLIC ${pugixml_source}/src)
target_compile_options(pugixml PRIVATE -w $<$<CONFIG:Release>:-O2>)
add_library(pugixml::pugixml ALIAS pugixml)
