# The page of reports, web/dist/report.html, as a string in the library. It is built before, by
# tools/web.sh; without it everything works but reports.
set(page ${PROJECT_SOURCE_DIR}/web/dist/report.html)
set(SHIFTCUT_PAGE "")
if(EXISTS ${page})
  file(READ ${page} SHIFTCUT_PAGE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
else()
  message(STATUS "No web/dist/report.html: without the page of reports")
endif()
set(page_source ${PROJECT_BINARY_DIR}/src/page_template.cpp)
configure_file(src/page/page_template.cpp.in ${page_source} @ONLY)
target_sources(shiftcut_page PRIVATE ${page_source})
