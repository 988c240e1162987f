# The Python that reads Parquet, Arrow and Feather files, as a string in the library.
set(script ${PROJECT_SOURCE_DIR}/src/input/arrow/arrow_to_csv.py)
file(READ ${script} ARROW_SCRIPT)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
set(script_source ${PROJECT_BINARY_DIR}/src/arrow_script.cpp)
configure_file(src/input/arrow/arrow_script.cpp.in ${script_source} @ONLY)
target_sources(shiftcut_input PRIVATE ${script_source})
