# Compiles the sources of each folder as one unit. Shared headers are read and shared templates are
# instantiated once per folder, which makes a build two to three times as fast. Names in anonymous
# namespaces must therefore differ within a folder. APART lists folders whose sources are compiled
# separately. The ci preset compiles every source separately, so that a missing include is found.
option(ROOFLINE_BY_FOLDER "Compile the sources of a folder together" ON)

function(compile_by_folder target)
  if(NOT ROOFLINE_BY_FOLDER)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "APART")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" group)
    list(FIND arg_APART "${folder}" apart)
    get_source_file_property(own ${source} COMPILE_DEFINITIONS)
    if(apart EQUAL -1 AND source MATCHES "\\.cpp$" AND NOT own)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
