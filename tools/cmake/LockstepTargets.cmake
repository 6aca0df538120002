# lockstep_library(NAME sources… DEPENDS targets…)   a layer, or a part of one
# lockstep_test(NAME sources… DEPENDS targets…)      a gtest program; each of its tests is a ctest test
# lockstep_check_listed(FILES…)                      configuring fails if a *_test.cpp or *_prop.cpp is not
# listed

# g++ 12 warns of overlapping copies in `"x" + std::string(…)` where there are none (its bug 105651).
add_library(lockstep_options INTERFACE)
target_include_directories(lockstep_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:LOCKSTEP_JOINED>>>:-Wshadow>
  $<$<BOOL:${LOCKSTEP_STRICT}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers -Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-field-initializers -Wno-missing-braces>)

# VARIABLE receives files that include JOIN of the sources each (0: the sources): what their headers need is
# then read, instantiated and compiled once for all of them. CMake's own UNITY_BUILD does the same, but names
# the sources by absolute paths, which ccache cannot find again in another checkout. A name that one source
# uses may hide another's, so -Wshadow is for builds that join nothing.
function(lockstep_joined variable target join)
  set(files "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" generated)
    if(NOT join OR generated)
      list(APPEND files "${source}")
      continue()
    endif()
    math(EXPR number "${count} / ${join}")
    math(EXPR count "${count} + 1")
    set(file "${CMAKE_BINARY_DIR}/generated/joined/${target}_${number}.cpp")
    list(APPEND files "${file}")
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    string(APPEND text_${number} "#include \"${source}\"\n")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${number}}" @ONLY)
  endforeach()
  list(REMOVE_DUPLICATES files)
  set(${variable} "${files}" PARENT_SCOPE)
endfunction()

function(lockstep_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  lockstep_joined(sources ${name} ${LOCKSTEP_JOIN} ${arg_UNPARSED_ARGUMENTS})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE lockstep_options)
  set_target_properties(${name} PROPERTIES LOCKSTEP_JOINED "${LOCKSTEP_JOIN}")
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
endfunction()

function(lockstep_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  lockstep_joined(sources ${name} ${LOCKSTEP_JOIN_TESTS} ${arg_UNPARSED_ARGUMENTS})
  add_executable(${name} ${sources})
  target_compile_options(${name} PRIVATE -O1)  # what is tested is optimized fully; tests compile sooner
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} lockstep_options
                        GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  set_target_properties(${name} PROPERTIES LOCKSTEP_JOINED "${LOCKSTEP_JOIN_TESTS}")
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
