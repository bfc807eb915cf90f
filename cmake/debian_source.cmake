# debian_source(NAME VARIABLE): sets VARIABLE to the directory with the unpacked source package
# NAME, which scripts/debian_source fetches as pinned in scripts/sources.sha256.
function(debian_source name variable)
  set(pins ${PROJECT_SOURCE_DIR}/scripts/sources.sha256)
  set(directory ${PROJECT_SOURCE_DIR}/build/sources/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pins})
  file(STRINGS ${pins} pin REGEX "  ${name}_")
  set(unpacked "")
  if(EXISTS ${directory}/.pin)
    file(STRINGS ${directory}/.pin unpacked)
  endif()
  if(NOT pin STREQUAL unpacked)
    message(FATAL_ERROR "${directory} does not hold ${pin}: run scripts/setup "
      "(or scripts/debian_source ${name}) first")
  endif()
  set(${variable} ${directory} PARENT_SCOPE)
endfunction()
