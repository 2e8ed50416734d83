# Run by ctest: cmake -D modules=<folder of FindMuJoCo> -D scratch=<folder> -P this file.
# Each case makes the header and the library that a MuJoCo of some version would have, configures a
# project that asks for MuJoCo, and compares verdict and words with what is expected.

set(failures 0)
unset(ENV{MUJOCO_DIR})
file(REMOVE_RECURSE "${scratch}")
file(WRITE "${scratch}/project/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${modules}")
find_package(MuJoCo ${how})
if(TARGET MuJoCo::MuJoCo)
  get_target_property(library MuJoCo::MuJoCo IMPORTED_LOCATION)
  get_target_property(headers MuJoCo::MuJoCo INTERFACE_INCLUDE_DIRECTORIES)
  message(STATUS "took ${MuJoCo_VERSION} library ${library} headers ${headers}")
else()
  message(STATUS "left out: ${MuJoCo_NOT_FOUND_MESSAGE}")
endif()
]])

# A folder as released: include/mujoco/mujoco.h with the number, and the library file named.
function(make_mujoco folder number library)
  file(WRITE "${folder}/include/mujoco/mujoco.h"
       "// version of MuJoCo\n#define mjVERSION_HEADER ${number}\n")
  file(WRITE "${folder}/${library}" "")
endfunction()

# configure(<name> [variables...]): sets status and output, its white space made single blanks.
macro(configure name)
  execute_process(
      COMMAND ${CMAKE_COMMAND} -S "${scratch}/project" -B "${scratch}/build/${name}"
              -D "modules=${modules}" ${ARGN}
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
endmacro()

function(report name verdict)
  if(verdict)
    message(STATUS "passed: ${name}")
  else()
    math(EXPR count "${failures} + 1")
    set(failures ${count} PARENT_SCOPE)
    message(STATUS "FAILED: ${name}: status ${status}, output: ${output}")
  endif()
endfunction()

# expect_taken(<name> <words that must appear>), after configure().
macro(expect_taken name words)
  set(verdict FALSE)
  string(FIND "${output}" "${words}" place)
  if(status EQUAL 0 AND NOT place EQUAL -1)
    set(verdict TRUE)
  endif()
  report("${name}" ${verdict})
endmacro()

# expect_refused(<name> <words>...): the configuration stops, and every text appears.
macro(expect_refused name)
  set(verdict TRUE)
  if(status EQUAL 0)
    set(verdict FALSE)
  endif()
  foreach(words ${ARGN})
    string(FIND "${output}" "${words}" place)
    if(place EQUAL -1)
      set(verdict FALSE)
    endif()
  endforeach()
  report("${name}" ${verdict})
endmacro()

set(trees "${scratch}/trees")

make_mujoco("${trees}/pinned" 3017000 lib/libmujoco.so.3.17.0)
configure(pinned -D "MUJOCO_DIR=${trees}/pinned" -D how=REQUIRED)
expect_taken("a release folder of 3.17.0 is taken"
    "took 3.17.0 library ${trees}/pinned/lib/libmujoco.so.3.17.0 headers ${trees}/pinned/include")

make_mujoco("${trees}/wheel" 3017000 libmujoco.so.3.17.0)
configure(wheel -D "MUJOCO_DIR=${trees}/wheel" -D how=REQUIRED)
expect_taken("so is the layout of the wheel"
    "took 3.17.0 library ${trees}/wheel/libmujoco.so.3.17.0 ")

make_mujoco("${trees}/fixed" 4000001 lib/libmujoco.so.4.0.1)
configure(fixed -D "MUJOCO_DIR=${trees}/fixed" -D how=REQUIRED)
expect_taken("4.0.1 is taken" "took 4.0.1 ")
expect_taken("with a word that it is not the one tested with" "tested with MuJoCo 3.17.0")

make_mujoco("${trees}/flawed" 4000000 lib/libmujoco.so.4.0.0)
configure(flawed -D "MUJOCO_DIR=${trees}/flawed" -D how=REQUIRED)
expect_refused("4.0.0 is refused with the reason and the remedy"
    "MuJoCo 4.0.0" "sparse factorization" "fixed in 4.0.1" "bash scripts/setup.sh")

configure(optional -D "MUJOCO_DIR=${trees}/flawed" -D how=QUIET)
expect_taken("where MuJoCo is optional the reason is passed on" "left out: MuJoCo 4.0.0")

make_mujoco("${trees}/old" 3016009 lib/libmujoco.so.3.16.9)
configure(old -D "MUJOCO_DIR=${trees}/old" -D how=REQUIRED)
expect_refused("3.16.9 is too old" "MuJoCo 3.16.9" "too old" "3.17.0 or newer")

make_mujoco("${trees}/older" 337 lib/libmujoco.so.3.3.7)
configure(older -D "MUJOCO_DIR=${trees}/older" -D how=REQUIRED)
expect_refused("a version written with three digits is read and too old" "MuJoCo 3.3.7" "too old")

make_mujoco("${trees}/torn" 3017000 lib/libmujoco.so.3.16.0)
configure(torn -D "MUJOCO_DIR=${trees}/torn" -D how=REQUIRED)
expect_refused("a library of another version than the header is refused"
    "libmujoco.so.3.17.0" "is missing")

file(WRITE "${trees}/silent/include/mujoco/mujoco.h" "// nothing\n")
configure(silent -D "MUJOCO_DIR=${trees}/silent" -D how=REQUIRED)
expect_refused("a header without a version is refused" "mjVERSION_HEADER")

configure(nowhere -D "MUJOCO_DIR=${trees}/nowhere" -D how=REQUIRED)
expect_refused("a folder that has no MuJoCo is named" "${trees}/nowhere" "include/mujoco/mujoco.h")

configure(nothing -D how=REQUIRED)
expect_refused("with nothing at hand the way to get it is told" "bash scripts/setup.sh")

set(ENV{MUJOCO_DIR} "${trees}/pinned")
configure(environment -D how=REQUIRED)
expect_taken("the environment's MUJOCO_DIR is used" "took 3.17.0 library ${trees}/pinned/")
configure(variable -D "MUJOCO_DIR=${trees}/fixed" -D how=REQUIRED)
expect_taken("CMake's variable goes before it" "took 4.0.1 ")
unset(ENV{MUJOCO_DIR})

make_mujoco("${scratch}/project/.deps/venv/lib/python3.11/site-packages/mujoco" 3017000
            libmujoco.so.3.17.0)
configure(deps -D how=REQUIRED)
expect_taken("the wheel in .deps is found" "site-packages/mujoco/libmujoco.so.3.17.0")
configure(installed -D "jointrig_mujoco=${trees}/pinned" -D how=REQUIRED)
expect_taken("the one that was installed with jointrig goes before it" "took 3.17.0 library ${trees}/pinned/")
configure(installed_and_dir -D "jointrig_mujoco=${trees}/pinned" -D "MUJOCO_DIR=${trees}/fixed" -D how=REQUIRED)
expect_taken("and MUJOCO_DIR before both" "took 4.0.1 ")
configure(installed_lost -D "jointrig_mujoco=${trees}/nowhere" -D how=REQUIRED)
expect_refused("where it is lost the way to get it is told" "install jointrig again")
configure(deps_and_dir -D "MUJOCO_DIR=${trees}/flawed" -D how=REQUIRED)
expect_refused("and does not stand in for a MUJOCO_DIR that is refused" "MuJoCo 4.0.0")

if(failures GREATER 0)
  message(FATAL_ERROR "${failures} cases failed")
endif()
