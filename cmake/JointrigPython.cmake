# Python: the interpreter of the tests, and whether the module `jointrig` can be built (python/).

# The environment that scripts/setup.sh makes: some tests need its packages.
set(JOINTRIG_PYTHON "${PROJECT_SOURCE_DIR}/.deps/venv/bin/python" CACHE FILEPATH
    "Python with the packages of scripts/requirements.txt")

# Python that runs while the module is built: that of the tests, or of a wheel's build (scikit-build-core).
if(NOT SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS "${JOINTRIG_PYTHON}")
  set(Python_EXECUTABLE "${JOINTRIG_PYTHON}")
endif()
find_package(Python 3.11 QUIET COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module)

set(JOINTRIG_NANOBIND "")
set(missing "")
if(NOT Python_Development.Module_FOUND)
  set(missing "the headers of Python 3.11 or newer (python3-dev)")
else()
  execute_process(COMMAND "${Python_EXECUTABLE}" -c "import nanobind, nanobind_backend; print(nanobind.cmake_dir())"
      OUTPUT_VARIABLE JOINTRIG_NANOBIND
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT JOINTRIG_NANOBIND)
    set(missing "nanobind and nanobind-backend, Python packages")
  endif()
endif()

if(missing STREQUAL "")
  option(JOINTRIG_PYTHON_MODULE "Build the Python package jointrig" ON)
else()
  option(JOINTRIG_PYTHON_MODULE "Build the Python package jointrig" OFF)
  if(JOINTRIG_PYTHON_MODULE)
    message(FATAL_ERROR "JOINTRIG_PYTHON_MODULE wants ${missing}: run 'bash scripts/setup.sh test'.")
  endif()
  message(STATUS "Without the Python package: it wants ${missing}; 'bash scripts/setup.sh test' installs that")
endif()
# Sanitizers are of programs: they would have to be loaded before Python.
if(JOINTRIG_SANITIZE)
  set(JOINTRIG_PYTHON_MODULE OFF)
endif()

# A wheel is built in an environment of its own, where the packages are that pyproject.toml names.
if(SKBUILD)
  execute_process(COMMAND "${Python_EXECUTABLE}" -c "import sysconfig; print(sysconfig.get_path('platlib'))"
      OUTPUT_VARIABLE JOINTRIG_SITE_PACKAGES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT MUJOCO_DIR AND NOT DEFINED ENV{MUJOCO_DIR})
    set(MUJOCO_DIR "${JOINTRIG_SITE_PACKAGES}/mujoco")
  endif()
  if(NOT DEFINED JOINTRIG_PLOTLY_JS)
    set(JOINTRIG_PLOTLY_JS "${JOINTRIG_SITE_PACKAGES}/plotly/package_data/plotly.min.js")
  endif()
endif()
