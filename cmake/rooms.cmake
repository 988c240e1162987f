# A room is a folder below src/ and an object library of its own; the installed libraries are made of
# them.

# No fused multiply-add: it rounds once where other processors round twice, and labels must not
# depend on the processor.
function(shiftcut_compile_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wno-sign-conversion
                                           -ffp-contract=off
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                           $<$<CXX_COMPILER_ID:Clang>:-Wno-psabi>)
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                     $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  shiftcut_harden(${target})
  if(SHIFTCUT_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${SHIFTCUT_SANITIZE}
                                            -fno-omit-frame-pointer)
    target_compile_definitions(${target} PRIVATE SHIFTCUT_SANITIZED)
    target_link_options(${target} PUBLIC -fsanitize=${SHIFTCUT_SANITIZE})
    if(SHIFTCUT_SANITIZE MATCHES undefined)
      target_compile_options(${target} PUBLIC -fno-sanitize-recover=all)
    endif()
  endif()
endfunction()

# Headers take most of the time to compile. Under SHIFTCUT_FAST_BUILD the common ones are compiled
# once, and the others once for every few sources of a room, which are compiled as one. A full build
# takes .6 of the processor time; internal names must be unique in a room.
function(shiftcut_build_together target)
  if(SHIFTCUT_FAST_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
  endif()
endfunction()

function(shiftcut_use_common_headers target)
  if(NOT SHIFTCUT_FAST_BUILD)
    return()
  elseif(target STREQUAL shiftcut_core)
    target_precompile_headers(${target} PRIVATE <fmt/core.h> <algorithm> <functional> <map>
                              <memory> <optional> <span> <string> <variant> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM shiftcut_core)
  endif()
endfunction()

function(shiftcut_room name)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(shiftcut_${name} OBJECT ${sources})
  shiftcut_compile_settings(shiftcut_${name})
  target_include_directories(shiftcut_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(shiftcut_${name} PRIVATE shiftcut_fmt nlohmann_json::nlohmann_json
                                                 ZLIB::ZLIB Threads::Threads)
  shiftcut_use_common_headers(shiftcut_${name})
  shiftcut_build_together(shiftcut_${name})
  foreach(above IN LISTS ROOM_USES)
    add_dependencies(shiftcut_${name} shiftcut_${above})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY SHIFTCUT_ROOMS ${name})
endfunction()

# A static library of the rooms named after ONLY, or of all but those named after EXCEPT; exported as
# shiftcut::AS.
function(shiftcut_library target)
  cmake_parse_arguments(LIBRARY "" "AS" "ONLY;EXCEPT" ${ARGN})
  get_property(rooms GLOBAL PROPERTY SHIFTCUT_ROOMS)
  if(LIBRARY_ONLY)
    set(rooms ${LIBRARY_ONLY})
  endif()
  list(REMOVE_ITEM rooms ${LIBRARY_EXCEPT})
  add_library(${target} STATIC)
  add_library(shiftcut::${LIBRARY_AS} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${LIBRARY_AS})
  shiftcut_compile_settings(${target})
  foreach(room IN LISTS rooms)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:shiftcut_${room}>)
  endforeach()
endfunction()
