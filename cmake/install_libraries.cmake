# The component "libraries" of an installation: the shared libraries that primer needs, except for
# the C library, in lib/under-the-roofline, with the licences from their Debian packages. Only the
# packed program has it (package.cmake).
install(CODE "
  set(primer \"$<TARGET_FILE:primer>\")" COMPONENT libraries EXCLUDE_FROM_ALL)
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${primer}
    RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|mvec)\\.so")
  if(missing)
    message(FATAL_ERROR "not found: ${missing}")
  endif()
  set(place "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  set(licences ${place}/share/doc/under-the-roofline/libraries)
  file(MAKE_DIRECTORY ${place}/lib/under-the-roofline ${licences})
  foreach(library IN LISTS needed)
    get_filename_component(name ${library} NAME)  # the name that programs load, usually a link
    get_filename_component(file ${library} REALPATH)
    file(COPY_FILE ${file} ${place}/lib/under-the-roofline/${name})
    execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(NOT owner)  # dpkg knows the file by its path below /usr or below /, as it was packed
      string(REGEX REPLACE "^/usr/lib" "/lib" file ${file})
      execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
    endif()
    string(REGEX REPLACE ":.*" "" owner ${owner})
    file(COPY_FILE /usr/share/doc/${owner}/copyright ${licences}/${owner})
  endforeach()]] COMPONENT libraries EXCLUDE_FROM_ALL)
