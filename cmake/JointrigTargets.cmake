# The two kinds of targets of the project, with the settings that all of them share.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Warnings are errors with the compiler of CI: another one warns of other things, and a user's build must not end
# there.
set(JOINTRIG_CI_COMPILER OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(JOINTRIG_CI_COMPILER ON)
endif()
option(JOINTRIG_WERROR "Treat warnings as errors" ${JOINTRIG_CI_COMPILER})
set(JOINTRIG_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined or thread)")

# A build spends its time on headers that are parsed again in each file, and on optimizing code that runs
# once. The first two are off in the preset "debug", so that every file is still seen to include what it uses.
option(JOINTRIG_PRECOMPILE "Parse headers of others once for all tests (cmake/parsed_test_headers.h)" ON)
option(JOINTRIG_UNITY "Compile the sources of a library some at a time" ON)

# ccache where it is installed; -D JOINTRIG_CCACHE= turns it off.
find_program(JOINTRIG_CCACHE ccache DOC "ccache, for builds of what was built before; empty: none")
if(JOINTRIG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  message(STATUS "Compiling through ${JOINTRIG_CCACHE}")
  # ccache needs these for files with parsed headers; it checks the headers' own text all the same.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      "${JOINTRIG_CCACHE}")
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# The linker that takes a quarter of the time of the usual one, where it is installed; -D JOINTRIG_LLD= turns it off.
find_program(JOINTRIG_LLD ld.lld DOC "LLVM's linker, for faster builds; empty: the compiler's own choice")
if(JOINTRIG_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  add_link_options(-fuse-ld=lld)
endif()

add_library(jointrig_settings INTERFACE)
target_compile_features(jointrig_settings INTERFACE cxx_std_20)
target_include_directories(jointrig_settings INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:include/jointrig>")
set(JOINTRIG_OPTIONS
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
    -Wunused -Woverloaded-virtual -Wnull-dereference
    # GCC 12 sees overlapping copies in `"text" + string` that aren't there (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    # It forgets that a precompiled header is the system's, and warns of endless copies in it (bug 105329).
    $<$<AND:$<BOOL:${JOINTRIG_PRECOMPILE}>,$<CXX_COMPILER_ID:GNU>>:-Wno-stringop-overflow>
    $<$<AND:$<BOOL:${JOINTRIG_PRECOMPILE}>,$<CXX_COMPILER_ID:GNU>>:-Wno-array-bounds>
    # It takes a source that is compiled with others for a header.
    $<$<AND:$<BOOL:${JOINTRIG_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
    $<$<BOOL:${JOINTRIG_WERROR}>:-Werror>
    # Headless runs are bit-identical: no contraction that depends on the optimizer's mood.
    -ffp-contract=off
    # Beside parsed headers the compiler's garbage collector takes an eighth of the time and frees little.
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>
    # One build of the libraries serves programs and the Python module; hidden symbols make it cost nothing.
    -fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
# For this build alone: programs that link the installed libraries have warnings of their own.
target_compile_options(jointrig_settings INTERFACE "$<BUILD_INTERFACE:${JOINTRIG_OPTIONS}>")
if(JOINTRIG_SANITIZE)
  target_compile_options(jointrig_settings INTERFACE
      -fsanitize=${JOINTRIG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(jointrig_settings INTERFACE -fsanitize=${JOINTRIG_SANITIZE})
endif()

# For code that runs once, or for a person, and not in each cycle.
set(JOINTRIG_COLD_OPTIONS "")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(JOINTRIG_COLD_OPTIONS -O1)
endif()

# jointrig_parsed_headers(NAME HEADER [LINKS ...] [OPTIONS ...]): owns what others reuse. They need the same
# options: GCC takes those of the parsed headers for those of the file, and says nothing.
function(jointrig_parsed_headers name header)
  cmake_parse_arguments(ARG "" "" "LINKS;OPTIONS" ${ARGN})
  if(JOINTRIG_PRECOMPILE)
    set(source "${PROJECT_BINARY_DIR}/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${name} OBJECT "${source}")
    target_link_libraries(${name} PRIVATE jointrig_settings ${ARG_LINKS})
    target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/${header}")
  endif()
endfunction()

# jointrig_compile_together(TARGET): its sources some at a time. Parsed headers gain nothing beside that.
function(jointrig_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${JOINTRIG_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# jointrig_library(NAME SOURCES ... [COLD_SOURCES ...] [PUBLIC_LINKS ...] [PRIVATE_LINKS ...])
#   COLD_SOURCES  nothing in them runs in each cycle
function(jointrig_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;COLD_SOURCES;PUBLIC_LINKS;PRIVATE_LINKS" ${ARGN})
  if(NOT ARG_SOURCES AND NOT ARG_COLD_SOURCES)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE jointrig_settings ${ARG_PUBLIC_LINKS})
    return()
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC jointrig_settings ${ARG_PUBLIC_LINKS}
                                PRIVATE ${ARG_PRIVATE_LINKS})
  jointrig_compile_together(${name})
  if(ARG_COLD_SOURCES)
    add_library(${name}_cold OBJECT ${ARG_COLD_SOURCES})
    target_link_libraries(${name}_cold PUBLIC jointrig_settings ${ARG_PUBLIC_LINKS}
                                       PRIVATE ${ARG_PRIVATE_LINKS})
    target_compile_options(${name}_cold PRIVATE ${JOINTRIG_COLD_OPTIONS})
    jointrig_compile_together(${name}_cold)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_cold>)
  endif()
endfunction()

# Libraries that the program loads when they are wanted (app/own_library.h); a build may lack some.
set(JOINTRIG_LOADED jointrig_panel_module jointrig_remote_module jointrig_ros2_module)

# Targets of the sanitizer presets: the programs of the tests labelled "unit" and "threads".
add_custom_target(unit_tests)
add_custom_target(thread_tests)

# Tests' own sources are compiled more than they are run: a third of their compile time is optimizing. The
# code that they test is compiled as ever, with its lines for a debugger. The warnings named come and go with the
# optimizer.
set(JOINTRIG_TEST_OPTIONS "")
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(JOINTRIG_TEST_OPTIONS -O1 -g0 -Wno-error=array-bounds -Wno-error=maybe-uninitialized
      -Wno-error=null-dereference -Wno-error=stringop-overflow)
endif()

# jointrig_program(NAME SOURCES ... LINKS ... [COLD]): a program that is no test by itself.
function(jointrig_program name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE jointrig_settings ${ARG_LINKS})
  if(ARG_COLD)
    target_compile_options(${name} PRIVATE ${JOINTRIG_COLD_OPTIONS})
  endif()
  jointrig_compile_together(${name})
endfunction()

# jointrig_test_program(NAME SOURCES ... LINKS ... [APART]): a GoogleTest program that ctest is told of
# elsewhere.
#   APART  its sources have helpers of the same name: they are compiled one by one
function(jointrig_test_program name)
  cmake_parse_arguments(ARG "APART" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE jointrig_settings ${ARG_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${JOINTRIG_TEST_OPTIONS})
  if(JOINTRIG_PRECOMPILE)
    set(parsed jointrig_parsed_for_tests)
    # All of these hold a stack.
    if("${ARG_LINKS}" MATCHES "jointrig_(board_process|gui|matrix_rig|rig|run|stack|wiggle)(;|$)")
      set(parsed jointrig_parsed_for_stack_tests)
    endif()
    target_precompile_headers(${name} REUSE_FROM ${parsed})
  endif()
  if(NOT ARG_APART)
    jointrig_compile_together(${name})
  endif()
endfunction()

# jointrig_test(NAME ... [SHARED] [THREADS] [NO_SANITIZER]): a jointrig_test_program, known to ctest with the
# label "unit".
#   SHARED        it takes long: a share of its tests runs at each change (docs/ci.md)
#   THREADS       it starts threads: also labelled "threads", which the tsan preset runs
#   NO_SANITIZER  it cannot run under one (it replaces malloc, measures time, takes minutes): left out
function(jointrig_test name)
  cmake_parse_arguments(ARG "SHARED;THREADS;NO_SANITIZER" "" "" ${ARGN})
  if(ARG_NO_SANITIZER AND JOINTRIG_SANITIZE)
    return()
  endif()
  jointrig_test_program(${name} ${ARG_UNPARSED_ARGUMENTS})
  set(sharded "")
  if(ARG_SHARED)
    set(sharded bash tests/support/sharded.sh)
  endif()
  add_test(NAME ${name} COMMAND ${sharded} $<TARGET_FILE:${name}>)
  set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" LABELS unit)
  add_dependencies(unit_tests ${name})
  if(ARG_THREADS)
    set_property(TEST ${name} APPEND PROPERTY LABELS threads)
    add_dependencies(thread_tests ${name})
  endif()
endfunction()
