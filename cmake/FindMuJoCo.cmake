# Finds MuJoCo's C library: an official release folder named by MUJOCO_DIR, or the Python wheel in
# .deps/. Defines MuJoCo::MuJoCo and MuJoCo_VERSION.
set(_roots "${MUJOCO_DIR}" "$ENV{MUJOCO_DIR}")
file(GLOB _wheels "${PROJECT_SOURCE_DIR}/.deps/*/lib/python3*/site-packages/mujoco")
list(APPEND _roots ${_wheels})
find_path(MuJoCo_INCLUDE_DIR mujoco/mujoco.h PATHS ${_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
get_filename_component(_root "${MuJoCo_INCLUDE_DIR}" DIRECTORY)
file(GLOB _lib "${_root}/libmujoco.so.3*" "${_root}/lib/libmujoco.so.3*")
list(GET _lib 0 MuJoCo_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuJoCo REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR)
if(MuJoCo_FOUND AND NOT TARGET MuJoCo::MuJoCo)
  add_library(MuJoCo::MuJoCo SHARED IMPORTED)
  set_target_properties(MuJoCo::MuJoCo PROPERTIES
      IMPORTED_LOCATION "${MuJoCo_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${MuJoCo_INCLUDE_DIR}")
endif()
