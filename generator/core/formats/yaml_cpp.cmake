# Builds yaml-cpp from source, as the library `yaml-cpp`. With one version in all builds, they read
# the same values and report the same errors at the same positions.
include(${PROJECT_SOURCE_DIR}/cmake/debian_source.cmake)
debian_source(yaml-cpp yaml_source)
file(GLOB yaml_files ${yaml_source}/src/*.cpp)
add_library(yaml-cpp STATIC ${yaml_files})
target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)
target_include_directories(yaml-cpp SYSTEM PUBLIC ${yaml_source}/include)
target_compile_options(yaml-cpp PRIVATE -w $<$<CONFIG:Release>:-O2>)
set_target_properties(yaml-cpp PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
