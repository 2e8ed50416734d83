# Files that `cmake --install` puts below a prefix (docs/library.md):
#
#   bin/jointrig                  the program
#   include/jointrig/             headers, as they are included here: "control/stack/loop.h"
#   lib/libjointrig_*.a           static libraries
#   lib/cmake/jointrig/           the CMake package: find_package(jointrig CONFIG REQUIRED)
#   lib/jointrig/*.so             panel and servers, which the program loads when they are wanted
#   lib/jointrig/mujoco/          the MuJoCo that all of this was built with
#   share/jointrig/               robots, scenes, scenarios
#
# Nothing in there points back to this source tree or to the build tree, and the prefix may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Libraries that a program of others may link, and the folders whose headers go with them. A library's name
# there is jointrig:: and what follows jointrig_ here.
set(JOINTRIG_INSTALLED
    jointrig_settings
    jointrig_core jointrig_exchange jointrig_motion jointrig_trajectory_planning jointrig_laws jointrig_safety jointrig_mjcf jointrig_model
    jointrig_inverse_kinematics
    jointrig_discovery jointrig_joint jointrig_arm jointrig_wholebody jointrig_statistics jointrig_stack
    jointrig_board jointrig_sim
    jointrig_config jointrig_robot_loading
    jointrig_mcap jointrig_log
    jointrig_can jointrig_canopen jointrig_cia402 jointrig_moteus jointrig_dynamixel
    jointrig_hw_driver jointrig_wiring
    jointrig_robot
    # Robot is made of these; their headers stay here.
    jointrig_tool_planning jointrig_runner jointrig_sim_world jointrig_virtual_boards jointrig_board_process
    jointrig_user_path jointrig_wiggle_record jointrig_realtime jointrig_joined_backend jointrig_rig
    jointrig_planner)
set(JOINTRIG_HEADERS control sim hw harness/config harness/log
    app/rig/law_library.h app/rig/links.h app/rig/robot_loading.h app/rig/wiring.h app/robot/async_robot.h app/robot/filters.h app/robot/robot.h app/robot/robot_arm.h
    app/robot/robot_gripper.h app/robot/blocks.h app/robot/block_runner.h)
# Headers of one library's sources alone.
set(JOINTRIG_INNER_HEADERS harness/config/schema_data.h harness/config/yaml_data.h)

# Builds what `cmake --install` takes, and no test.
add_custom_target(jointrig_installed)
foreach(library IN ITEMS ${JOINTRIG_INSTALLED} jointrig ${JOINTRIG_LOADED})
  if(TARGET ${library})
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      add_dependencies(jointrig_installed ${library})
    endif()
  endif()
endforeach()

# All of them at once: jointrig::jointrig.
add_library(jointrig_all INTERFACE)
target_link_libraries(jointrig_all INTERFACE ${JOINTRIG_INSTALLED})
set_target_properties(jointrig_all PROPERTIES EXPORT_NAME jointrig)
foreach(library IN LISTS JOINTRIG_INSTALLED)
  string(REPLACE jointrig_ "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/jointrig")
install(TARGETS ${JOINTRIG_INSTALLED} jointrig_all EXPORT jointrig
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT jointrig NAMESPACE jointrig:: FILE jointrigTargets.cmake DESTINATION "${package}")
configure_package_config_file(cmake/jointrigConfig.cmake.in "${PROJECT_BINARY_DIR}/jointrigConfig.cmake"
    INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/jointrigConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/jointrigConfig.cmake" "${PROJECT_BINARY_DIR}/jointrigConfigVersion.cmake"
              cmake/FindMuJoCo.cmake
        DESTINATION "${package}")

foreach(place IN LISTS JOINTRIG_HEADERS)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${place}")
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${place}/*.h")
  else()
    set(headers ${place})
  endif()
  foreach(header IN LISTS headers)
    if(NOT header IN_LIST JOINTRIG_INNER_HEADERS)
      get_filename_component(folder "${header}" DIRECTORY)
      install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/jointrig/${folder}")
    endif()
  endforeach()
endforeach()

# MuJoCo is installed, too: the libraries are compiled with its structs, so they need this version.
get_target_property(mujoco_library MuJoCo::MuJoCo IMPORTED_LOCATION)
get_target_property(mujoco_headers MuJoCo::MuJoCo INTERFACE_INCLUDE_DIRECTORIES)
set(mujoco "${CMAKE_INSTALL_LIBDIR}/jointrig/mujoco")
install(FILES "${mujoco_library}" DESTINATION "${mujoco}/lib")
install(DIRECTORY "${mujoco_headers}/mujoco" DESTINATION "${mujoco}/include" FILES_MATCHING PATTERN "*.h")
file(GLOB licenses "${mujoco_headers}/../LICENSE*" "${mujoco_headers}/../../mujoco-*.dist-info/licenses/*")
install(FILES ${licenses} DESTINATION "${mujoco}")

install(FILES "${Ruckig_LICENSE}" RENAME LICENSE-ruckig DESTINATION "${CMAKE_INSTALL_DATADIR}/jointrig")
install(DIRECTORY models scenes scenarios DESTINATION "${CMAKE_INSTALL_DATADIR}/jointrig")
if(TARGET jointrig)
  install(TARGETS jointrig RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  foreach(library IN LISTS JOINTRIG_LOADED)
    if(TARGET ${library})
      install(TARGETS ${library} LIBRARY DESTINATION lib/jointrig)  # where the program looks
      # The second is of the wheel (python/CMakeLists.txt).
      set_target_properties(${library} PROPERTIES INSTALL_RPATH "$ORIGIN/mujoco/lib;$ORIGIN/../lib")
    endif()
  endforeach()
  file(RELATIVE_PATH way "/${CMAKE_INSTALL_BINDIR}" "/${mujoco}/lib")
  # The second is of the wheel (python/CMakeLists.txt).
  set_target_properties(jointrig PROPERTIES INSTALL_RPATH "$ORIGIN/${way};$ORIGIN/../lib")
endif()
