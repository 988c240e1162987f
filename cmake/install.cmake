# `cmake --install` and find_package(shiftcut): the targets are shiftcut::shiftcut and
# shiftcut::methods.
include(CMakePackageConfigHelpers)

install(TARGETS shiftcut shiftcut_other_methods EXPORT shiftcutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET shiftcut_cli)
  install(TARGETS shiftcut_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/shiftcut ${PROJECT_BINARY_DIR}/include/shiftcut
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/shiftcut)
install(EXPORT shiftcutTargets NAMESPACE shiftcut:: DESTINATION ${config_dir})
configure_package_config_file(cmake/shiftcutConfig.cmake.in shiftcutConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(shiftcutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shiftcutConfig.cmake
              ${PROJECT_BINARY_DIR}/shiftcutConfigVersion.cmake DESTINATION ${config_dir})
