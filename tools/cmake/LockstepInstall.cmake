# What `cmake --install` puts where, and the Debian package of it (`cpack`).
#
# The layers are static libraries of their own in the build tree. Installed they are one, `lockstep`, with
# their headers below include/lockstep; a consumer names lockstep::lockstep, or asks pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(layers lockstep_base lockstep_sim lockstep_lua lockstep_failover lockstep_redis lockstep_client
           lockstep_model lockstep_properties lockstep_histories lockstep_scenarios
           lockstep_reports)
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(lockstep_whole STATIC ${objects})
set_target_properties(lockstep_whole PROPERTIES OUTPUT_NAME lockstep LINKER_LANGUAGE CXX)

set(LOCKSTEP_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/lockstep")
set(LOCKSTEP_CONFIG "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
set(LOCKSTEP_SHARE "${CMAKE_INSTALL_DATADIR}/lockstep")

install(TARGETS lockstep RUNTIME)
install(TARGETS lockstep_whole ARCHIVE)
foreach(layer sim lua model properties scenarios reports)
  install(DIRECTORY ${layer} DESTINATION "${LOCKSTEP_HEADERS}" FILES_MATCHING
    PATTERN "*.h" PATTERN "test_*" EXCLUDE PATTERN "testing" EXCLUDE PATTERN "toml_reading.h" EXCLUDE
    PATTERN "goldens" EXCLUDE PATTERN "pictures" EXCLUDE PATTERN "mutants" EXCLUDE)
endforeach()
install(DIRECTORY lua/scripts DESTINATION "${LOCKSTEP_SHARE}"
  FILES_MATCHING PATTERN "*.lua" PATTERN "set.toml")
install(DIRECTORY scenarios DESTINATION "${LOCKSTEP_SHARE}" FILES_MATCHING PATTERN "*.toml" PATTERN "*.lua")
install(FILES LICENSE NOTICE CHANGELOG.md README.md FIDELITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The libraries that the headers' code calls. Names for pkg-config; lockstepConfig.cmake asks it for the same.
if(LOCKSTEP_LUA STREQUAL "5.1")
  set(LOCKSTEP_LUA_MODULE lua5.1-c++)
else()
  set(LOCKSTEP_LUA_MODULE lua5.4-c++)
endif()
set(LOCKSTEP_REQUIRES fmt libxxhash nettle tomlplusplus ${LOCKSTEP_LUA_MODULE})
list(JOIN LOCKSTEP_REQUIRES " " LOCKSTEP_REQUIRES)
cmake_path(GET LOCKSTEP_BITOP FILENAME LOCKSTEP_BITOP_FILE)
string(REGEX REPLACE "[^/]+" ".." LOCKSTEP_UP "${CMAKE_INSTALL_LIBDIR}")
configure_file(tools/install/lockstep.pc.in lockstep.pc @ONLY)
configure_package_config_file(tools/install/lockstepConfig.cmake.in lockstepConfig.cmake
  INSTALL_DESTINATION "${LOCKSTEP_CONFIG}" PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(lockstepConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_BINARY_DIR}/lockstep.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${CMAKE_BINARY_DIR}/lockstepConfig.cmake" "${CMAKE_BINARY_DIR}/lockstepConfigVersion.cmake"
  DESTINATION "${LOCKSTEP_CONFIG}")

# What the program says of itself: written by it when it is installed, so that it cannot lag behind.
install(CODE "set(lockstep_program \"$<TARGET_FILE:lockstep>\")
set(lockstep_data \"${CMAKE_INSTALL_DATADIR}\")
set(lockstep_manual \"${CMAKE_INSTALL_MANDIR}\")
set(lockstep_documents \"${CMAKE_INSTALL_DOCDIR}\")")
install(SCRIPT tools/install/generated.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The authors of Lockstep <lockstep@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulation and verification of Redis lock protocols")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  gnuplot-nox cmake pkg-config libfmt-dev libxxhash-dev nettle-dev libtomlplusplus-dev
  "liblua${LOCKSTEP_LUA}-dev" lua-bitop-dev)
list(JOIN CPACK_DEBIAN_PACKAGE_SUGGESTS ", " CPACK_DEBIAN_PACKAGE_SUGGESTS)
include(CPack)
