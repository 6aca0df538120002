# lockstep_library(NAME sources… DEPENDS targets…)   a layer, or a part of one
# lockstep_test(NAME sources… DEPENDS targets…)      a gtest program; each of its tests is a ctest test
# lockstep_sources(VARIABLE KIND folders… [EXCEPT paths…])   the files of a kind in folders and below them

# g++ 12 warns of overlapping copies in `"x" + std::string(…)` where there are none (its bug 105651), and at
# -O2 of members of a std::variant that another alternative would not have set (its bug 105562).
add_library(lockstep_options INTERFACE)
target_include_directories(lockstep_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(lockstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  $<$<NOT:$<BOOL:${LOCKSTEP_JOIN}>>:-Wshadow>
  $<$<BOOL:${LOCKSTEP_STRICT}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local -Wno-missing-field-initializers -Wno-restrict
                               -Wno-maybe-uninitialized
                               -Wno-subobject-linkage>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-field-initializers -Wno-missing-braces>)

# VARIABLE receives files that include LOCKSTEP_JOIN of the sources each (0: the sources): what their headers
# need is then read, instantiated and compiled once for all of them. CMake's own UNITY_BUILD does the same,
# but names the sources by absolute paths, which ccache cannot find again in another checkout. A name that one
# source uses may hide another's, so a whole -Wshadow is for builds that join nothing. Files of locks/ are
# compiled each by itself: kinds resemble one another, and each has its own `state`, `ask` and `resume`.
function(lockstep_joined variable target)
  set(files "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" generated)
    if(NOT LOCKSTEP_JOIN OR generated OR source MATCHES "/locks/")
      list(APPEND files "${source}")
      continue()
    endif()
    math(EXPR number "${count} / ${LOCKSTEP_JOIN}")
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

# A file says by its name and folder what it is: TESTS end in _test.cpp or _prop.cpp; TESTING is what they
# share, in folders called testing and in files called test_*.cpp; SOURCES are all others. The next build
# notices a new file, so no list has to be kept.
function(lockstep_sources variable kind)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCEPT")
  set(files "")
  file(GLOB_RECURSE present RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS "*.cpp")
  foreach(file IN LISTS present)
    set(is SOURCES)
    if(file MATCHES "_(test|prop)\\.cpp$")
      set(is TESTS)
    elseif(file MATCHES "(^|/)(testing/|test_[a-z_]*\\.cpp$)")
      set(is TESTING)
    endif()
    lockstep_is_below(wanted "${file}" ${arg_UNPARSED_ARGUMENTS})
    lockstep_is_below(excepted "${file}" ${arg_EXCEPT})
    if(is STREQUAL kind AND wanted AND NOT excepted)
      list(APPEND files "${file}")
    endif()
  endforeach()
  set(${variable} "${files}" PARENT_SCOPE)
endfunction()

function(lockstep_is_below variable file)
  set(${variable} OFF PARENT_SCOPE)
  foreach(path IN LISTS ARGN)
    cmake_path(IS_PREFIX path "${file}" below)
    if(below OR path STREQUAL ".")
      set(${variable} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(lockstep_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  lockstep_joined(sources ${name} ${arg_UNPARSED_ARGUMENTS})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} PRIVATE lockstep_options)
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
endfunction()

# LABEL: what `ctest -L` calls the tests of this program.
function(lockstep_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "DEPENDS")
  lockstep_joined(sources ${name} ${arg_UNPARSED_ARGUMENTS})
  add_executable(${name} ${sources})
  target_compile_options(${name} PRIVATE -O1)  # what is tested is optimized fully; tests compile sooner
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} lockstep_options
                        GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES
                       WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                       PROPERTIES TIMEOUT 600 LABELS "${arg_LABEL}")
endfunction()
