# Builds pugixml from source, as the library `pugixml::pugixml`, so that all builds have the same
# version.
include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(pugixml pugixml_source)
add_library(pugixml STATIC ${pugixml_source}/src/pugixml.cpp)
target_include_directories(pugixml SYSTEM PUBLIC ${pugixml_source}/src)
target_compile_options(pugixml PRIVATE -w $<$<CONFIG:Release>:-O2>)
add_library(pugixml::pugixml ALIAS pugixml)
