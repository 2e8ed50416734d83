# Finds the sources of Ruckig, in this order:
#
#   1. RUCKIG_DIR, a CMake variable or else an environment variable: the folder of a release's sources;
#   2. those that scripts/setup.sh unpacks into .deps/source.
#
# Defines ruckig_sources, an OBJECT library without its client of a cloud service, and Ruckig_INCLUDE_DIR. They are
# compiled into jointrig_motion (control/motion), whose headers show nothing of Ruckig.

set(RUCKIG_DIR "$ENV{RUCKIG_DIR}" CACHE PATH "Folder of Ruckig's sources; empty: those in .deps/source")

set(_ruckig_root "${RUCKIG_DIR}")
if(NOT _ruckig_root)
  file(GLOB _ruckig_roots LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/.deps/source/ruckig-*")
  list(POP_BACK _ruckig_roots _ruckig_root)
endif()

set(Ruckig_FOUND FALSE)
if(EXISTS "${_ruckig_root}/include/ruckig/ruckig.hpp" AND EXISTS "${_ruckig_root}/src/ruckig/brake.cpp")
  set(Ruckig_FOUND TRUE)
  set(Ruckig_INCLUDE_DIR "${_ruckig_root}/include")
  set(Ruckig_LICENSE "${_ruckig_root}/LICENSE")
else()
  set(_ruckig_sentence "Ruckig's sources are not in '${_ruckig_root}': run 'bash scripts/setup.sh' and leave \
RUCKIG_DIR unset, or set RUCKIG_DIR to the folder of its sources, 0.19.4.")
  if(Ruckig_FIND_REQUIRED)
    message(FATAL_ERROR "${_ruckig_sentence}")
  endif()
endif()

if(Ruckig_FOUND AND NOT TARGET ruckig_sources)
  file(GLOB _ruckig_files "${_ruckig_root}/src/ruckig/*.cpp")
  list(FILTER _ruckig_files EXCLUDE REGEX "cloud_client")
  add_library(ruckig_sources OBJECT ${_ruckig_files})
  target_include_directories(ruckig_sources SYSTEM PRIVATE "${Ruckig_INCLUDE_DIR}")
  target_compile_features(ruckig_sources PRIVATE cxx_std_20)
  target_compile_options(ruckig_sources PRIVATE -w -ffp-contract=off)
  set_target_properties(ruckig_sources PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
