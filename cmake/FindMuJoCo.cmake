# Finds MuJoCo's C library, in this order:
#
#   1. MUJOCO_DIR, a CMake variable or else an environment variable: the folder of an official
#      release (include/mujoco/mujoco.h, lib/libmujoco.so.*) or of an installed wheel;
#   2. the one that was installed beside jointrig's CMake package, which names it (jointrig_mujoco);
#   3. the Python wheel that scripts/setup.sh puts into .deps/.
#
# Defines MuJoCo::MuJoCo and MuJoCo_VERSION. A version that it must not use is refused with one sentence:
# versions below 3.17, and 4.0.0.

set(MUJOCO_DIR "$ENV{MUJOCO_DIR}" CACHE PATH
    "Folder of an official MuJoCo release; empty: the Python wheel in .deps/")

set(_mujoco_remedy "run 'bash scripts/setup.sh' and leave MUJOCO_DIR unset, \
or set MUJOCO_DIR to the folder of an official release of 3.17.0.")
if(jointrig_mujoco)
  set(_mujoco_remedy "install jointrig again, or set MUJOCO_DIR to the folder of that release.")
endif()

function(_mujoco_refuse sentence)
  if(MuJoCo_FIND_REQUIRED)
    message(FATAL_ERROR "${sentence}")
  endif()
  set(MuJoCo_NOT_FOUND_MESSAGE "${sentence}" PARENT_SCOPE)
endfunction()

# 3017000 is 3.17.0; up to 3.9 the header had three digits, 337 for 3.3.7.
function(_mujoco_version_of header out)
  set(${out} "" PARENT_SCOPE)
  file(STRINGS "${header}" line REGEX "^#define +mjVERSION_HEADER +[0-9]+")
  if(NOT line MATCHES "mjVERSION_HEADER +([0-9]+)")
    return()
  endif()
  set(number ${CMAKE_MATCH_1})
  set(step 1000)
  if(number LESS 1000)
    set(step 10)
  endif()
  math(EXPR patch "${number} % ${step}")
  math(EXPR minor "${number} / ${step} % ${step}")
  math(EXPR major "${number} / ${step} / ${step}")
  set(${out} "${major}.${minor}.${patch}" PARENT_SCOPE)
endfunction()

# Reason why a version is refused; empty if it is accepted.
function(_mujoco_flaw_of version root out)
  set(flaw "")
  if(version STREQUAL "")
    set(flaw "the header in '${root}' does not tell MuJoCo's version (mjVERSION_HEADER)")
  elseif(version VERSION_LESS 3.17)
    set(flaw "MuJoCo ${version} in '${root}' is too old, jointrig needs 3.17.0 or newer")
  elseif(version VERSION_EQUAL 4.0.0)
    set(flaw "MuJoCo 4.0.0 in '${root}' is refused, because its sparse factorization gives wrong \
results (fixed in 4.0.1)")
  elseif(NOT EXISTS "${root}/libmujoco.so.${version}" AND
         NOT EXISTS "${root}/lib/libmujoco.so.${version}")
    set(flaw "the library libmujoco.so.${version} that belongs to the header in '${root}' is missing")
  endif()
  set(${out} "${flaw}" PARENT_SCOPE)
endfunction()

set(MuJoCo_FOUND FALSE)
if(MUJOCO_DIR)
  set(_mujoco_root "${MUJOCO_DIR}")
elseif(jointrig_mujoco)
  set(_mujoco_root "${jointrig_mujoco}")
else()
  file(GLOB _mujoco_wheels "${PROJECT_SOURCE_DIR}/.deps/venv/lib/python3*/site-packages/mujoco")
  list(POP_BACK _mujoco_wheels _mujoco_root)
endif()
set(_mujoco_header "${_mujoco_root}/include/mujoco/mujoco.h")

if(NOT _mujoco_root)
  _mujoco_refuse("MuJoCo is not here: ${_mujoco_remedy}")
elseif(NOT EXISTS "${_mujoco_header}")
  _mujoco_refuse("There is no include/mujoco/mujoco.h in '${_mujoco_root}': ${_mujoco_remedy}")
else()
  _mujoco_version_of("${_mujoco_header}" MuJoCo_VERSION)
  _mujoco_flaw_of("${MuJoCo_VERSION}" "${_mujoco_root}" _mujoco_flaw)
  if(_mujoco_flaw)
    _mujoco_refuse("${_mujoco_flaw}: ${_mujoco_remedy}")
  else()
    set(MuJoCo_FOUND TRUE)
  endif()
endif()

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::MuJoCo)
  foreach(_mujoco_folder "${_mujoco_root}" "${_mujoco_root}/lib")
    if(EXISTS "${_mujoco_folder}/libmujoco.so.${MuJoCo_VERSION}")
      set(_mujoco_library "${_mujoco_folder}/libmujoco.so.${MuJoCo_VERSION}")
    endif()
  endforeach()
  message(STATUS "MuJoCo ${MuJoCo_VERSION}: ${_mujoco_library}")
  if(NOT MuJoCo_VERSION VERSION_EQUAL 3.17.0)
    message(STATUS "jointrig is tested with MuJoCo 3.17.0; its C API changes between versions")
  endif()
  add_library(MuJoCo::MuJoCo SHARED IMPORTED)
  set_target_properties(MuJoCo::MuJoCo PROPERTIES
      IMPORTED_LOCATION "${_mujoco_library}"
      INTERFACE_INCLUDE_DIRECTORIES "${_mujoco_root}/include")
endif()
