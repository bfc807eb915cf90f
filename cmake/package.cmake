# `cpack` in build/release (scripts/package) makes a .deb for the Debian or Ubuntu that it runs on.
# On Debian 12 it also makes a .tar.gz that contains its shared libraries and runs on every system
# whose C library is not older.
file(READ /etc/os-release system)
string(REGEX MATCH "(^|\n)ID=([a-z]+)" _ "${system}")
set(distribution ${CMAKE_MATCH_2})
string(REGEX MATCH "VERSION_ID=\"?([0-9.]+)" _ "${system}")
string(APPEND distribution ${CMAKE_MATCH_1})

# An archive from a newer system would run on fewer systems.
set(CPACK_GENERATOR DEB)
if(distribution STREQUAL "debian12")
  list(APPEND CPACK_GENERATOR TGZ)
endif()
set(CPACK_PACKAGE_NAME under-the-roofline)
set(CPACK_PACKAGE_CONTACT "The authors of Under the Roofline")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "makes a book of Markdown chapters with live measurements")
set(CPACK_PACKAGE_DESCRIPTION "primer renders Markdown chapters into a web book whose facts, answers, links and figures it checks,
and whose kernels, compiled to WebAssembly, measure the reader's own machine.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
string(TOLOWER ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR} machine)
set(CPACK_PACKAGE_FILE_NAME under-the-roofline-${PROJECT_VERSION}-${machine})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_kind.cmake)

execute_process(COMMAND dpkg --print-architecture OUTPUT_VARIABLE architecture OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}+${distribution})
set(CPACK_DEBIAN_FILE_NAME under-the-roofline_${PROJECT_VERSION}_${distribution}_${architecture}.deb)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "nodejs (>= 18.19), git")  # formulas, publishing; dates
set(CPACK_DEBIAN_PACKAGE_SUGGESTS chromium)                     # the PDF and the social cards
include(CPack)
