# Read by cpack once for each kind of package: only the archive brings libraries along.
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 directory)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${directory} ${CPACK_PACKAGE_NAME} libraries /)
endif()
