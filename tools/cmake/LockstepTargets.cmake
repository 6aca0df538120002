# lockstep_library(NAME sources… DEPENDS targets…)   a layer, or a part of one
# lockstep_test(NAME sources… DEPENDS targets…)      a gtest program; each of its tests is a ctest test
# lockstep_check_listed(FILES…)                      configuring fails if a *_test.cpp or *_prop.cpp is not
# listed

# g++ 12 warns of overlapping copies in `"x" + std::string(…)` where there are none (its bug 105651).
add_library(lockstep_options INTERFACE)
target_include_directories(lockstep_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-sign-conversion
  $<$<BOOL:${LOCKSTEP_STRICT}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers -Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-field-initializers -Wno-missing-braces>)

function(lockstep_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE lockstep_options)
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
endfunction()

function(lockstep_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} lockstep_options
                        GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
                       WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTIES TIMEOUT 600)
endfunction()

function(lockstep_check_listed)
  file(GLOB_RECURSE present RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_test.cpp" "*_prop.cpp")
  foreach(file IN LISTS present)
    if(NOT file IN_LIST ARGN)
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${file} is in no test program of its CMakeLists.txt")
    endif()
  endforeach()
endfunction()
