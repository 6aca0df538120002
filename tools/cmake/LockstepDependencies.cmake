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
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

# The C++ build of Lua 5.4 raises errors as exceptions, so that destructors run in frames that an error
# leaves. Debian has no such build of 5.1: there the engine keeps destructors out of frames that may raise.
if(LOCKSTEP_LUA STREQUAL "5.1")
  pkg_check_modules(lua REQUIRED IMPORTED_TARGET lua5.1)
else()
  pkg_check_modules(lua REQUIRED IMPORTED_TARGET lua5.4-c++)
endif()
