# cpack reads this once per kind of package. Only the archive contains libraries.
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 directory)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${directory} ${CPACK_PACKAGE_NAME} libraries /)
endif()
