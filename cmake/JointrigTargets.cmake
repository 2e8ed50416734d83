# The two kinds of targets of the project, with the settings that all of them share.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(JOINTRIG_WERROR "Treat warnings as errors" ON)
set(JOINTRIG_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined or thread)")

add_library(jointrig_settings INTERFACE)
target_include_directories(jointrig_settings INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(jointrig_settings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
    -Wunused -Woverloaded-virtual -Wnull-dereference
    # GCC 12 sees overlapping copies in `"text" + string` that aren't there (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    $<$<BOOL:${JOINTRIG_WERROR}>:-Werror>
    # Headless runs are bit-identical: no contraction that depends on the optimizer's mood.
    -ffp-contract=off)
if(JOINTRIG_SANITIZE)
  target_compile_options(jointrig_settings INTERFACE
      -fsanitize=${JOINTRIG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(jointrig_settings INTERFACE -fsanitize=${JOINTRIG_SANITIZE})
endif()

# jointrig_library(NAME SOURCES ... [PUBLIC_LINKS ...] [PRIVATE_LINKS ...])
function(jointrig_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC_LINKS;PRIVATE_LINKS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC jointrig_settings ${ARG_PUBLIC_LINKS}
                                  PRIVATE ${ARG_PRIVATE_LINKS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE jointrig_settings ${ARG_PUBLIC_LINKS})
  endif()
endfunction()

# What the sanitizer presets build: the programs of the tests labelled "unit" and "threads".
add_custom_target(unit_tests)
add_custom_target(thread_tests)

# Tests' own sources are compiled more than they are run: a third of their compile time is optimizing. What
# they test is compiled as ever. The warnings named come and go with the optimizer.
set(JOINTRIG_TEST_OPTIONS "")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(JOINTRIG_TEST_OPTIONS -O1 -Wno-error=array-bounds -Wno-error=maybe-uninitialized
      -Wno-error=null-dereference -Wno-error=stringop-overflow)
endif()

# jointrig_test(NAME SOURCES ... LINKS ... [THREADS] [NO_SANITIZER]): one GoogleTest program, known
# to ctest with the label "unit".
#   THREADS       it starts threads: also labelled "threads", which the tsan preset runs
#   NO_SANITIZER  it cannot run under one (it replaces malloc, measures time, takes minutes): left out
function(jointrig_test name)
  cmake_parse_arguments(ARG "THREADS;NO_SANITIZER" "" "SOURCES;LINKS" ${ARGN})
  if(ARG_NO_SANITIZER AND JOINTRIG_SANITIZE)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE jointrig_settings ${ARG_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${JOINTRIG_TEST_OPTIONS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" LABELS unit)
  add_dependencies(unit_tests ${name})
  if(ARG_THREADS)
    set_property(TEST ${name} APPEND PROPERTY LABELS threads)
    add_dependencies(thread_tests ${name})
  endif()
endfunction()
