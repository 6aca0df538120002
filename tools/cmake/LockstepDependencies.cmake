# Everything comes from Debian packages (tools/packages); nothing is fetched.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(benchmark REQUIRED)
pkg_check_modules(nettle REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

# For searches by several processes; without it the program does without. The C interface is all that is used.
pkg_check_modules(LOCKSTEP_MPI_C ompi-c)
set(LOCKSTEP_MPI ${LOCKSTEP_MPI_C_FOUND})
set(LOCKSTEP_MPI_INCLUDE_DIRS ${LOCKSTEP_MPI_C_INCLUDE_DIRS})
set(LOCKSTEP_MPI_LINK_LIBRARIES ${LOCKSTEP_MPI_C_LINK_LIBRARIES})

# CommonMark with tables, for the manual.
find_library(LOCKSTEP_CMARK cmark-gfm REQUIRED)
find_library(LOCKSTEP_CMARK_EXTENSIONS cmark-gfm-extensions REQUIRED)

# Asio without Boost is headers only; Debian's package describes itself to nobody.
find_path(LOCKSTEP_ASIO asio.hpp REQUIRED)
add_library(asio INTERFACE)
target_include_directories(asio SYSTEM INTERFACE "${LOCKSTEP_ASIO}")
target_compile_definitions(asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED)

# The C++ builds of Lua raise errors as exceptions, so that destructors run in frames that an error leaves.
# The 5.1 that Redis embeds is always there too: it is the oracle of a differential test.
pkg_check_modules(lua51 REQUIRED IMPORTED_TARGET lua5.1-c++)
if(LOCKSTEP_LUA STREQUAL "5.1")
  add_library(PkgConfig::lua ALIAS PkgConfig::lua51)
else()
  pkg_check_modules(lua REQUIRED IMPORTED_TARGET lua5.4-c++)
endif()

# Lua BitOp for each Lua. The archives are named, because their pkg-config files would bring in the C build of
# Lua beside the C++ build.
find_library(LOCKSTEP_BITOP51 NAMES liblua5.1-bitop.a REQUIRED)
find_library(LOCKSTEP_BITOP NAMES "liblua${LOCKSTEP_LUA}-bitop.a" REQUIRED)
