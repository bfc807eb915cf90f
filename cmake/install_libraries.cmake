# The component "libraries" of an installation: the shared libraries that primer needs, the C library's own left out, in
# lib/under-the-roofline, with the licences that Debian's packages say they have. Only a packed program has it (package.cmake).
install(CODE "
  set(primer \"$<TARGET_FILE:primer>\")
  set(loaded \"${microhttpd_file}\")" COMPONENT libraries EXCLUDE_FROM_ALL)
install(CODE [[
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${primer} LIBRARIES ${loaded}
    RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|mvec)\\.so")
  if(missing)
    message(FATAL_ERROR "not found: ${missing}")
  endif()
  set(place "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  set(licences ${place}/share/doc/under-the-roofline/libraries)
  file(MAKE_DIRECTORY ${place}/lib/under-the-roofline ${licences})
  foreach(library IN LISTS needed loaded)
    get_filename_component(name ${library} NAME)  # the one that it is asked for by, mostly a link
    get_filename_component(file ${library} REALPATH)
    file(COPY_FILE ${file} ${place}/lib/under-the-roofline/${name})
    execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(NOT owner)  # dpkg knows it by the name below /usr or by the one below /, as it was packed
      string(REGEX REPLACE "^/usr/lib" "/lib" file ${file})
      execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
    endif()
    string(REGEX REPLACE ":.*" "" owner ${owner})
    file(COPY_FILE /usr/share/doc/${owner}/copyright ${licences}/${owner})
  endforeach()]] COMPONENT libraries EXCLUDE_FROM_ALL)
