# The remote side (remote/): gRPC and protobuf, Boost and OpenSSL for viewers, and whether it can be built.
find_program(JOINTRIG_PROTOC protoc DOC "protobuf's compiler")
find_program(JOINTRIG_GRPC_PLUGIN grpc_cpp_plugin DOC "gRPC's plug-in for it")
find_path(JOINTRIG_GRPC_HEADERS grpcpp/grpcpp.h DOC "Headers of gRPC")
find_path(JOINTRIG_BOOST_HEADERS boost/beast.hpp DOC "Headers of Boost, with Beast")
find_package(OpenSSL QUIET GLOBAL)
mark_as_advanced(JOINTRIG_BOOST_HEADERS JOINTRIG_PROTOC JOINTRIG_GRPC_PLUGIN JOINTRIG_GRPC_HEADERS)
set(found ON)
foreach(library IN ITEMS grpc++ grpc gpr protobuf absl_synchronization)
  string(MAKE_C_IDENTIFIER "JOINTRIG_LIBRARY_${library}" place)
  find_library(${place} ${library})
  mark_as_advanced(${place})
  if(NOT ${place})
    set(found OFF)
  endif()
endforeach()
if(NOT JOINTRIG_PROTOC OR NOT JOINTRIG_GRPC_PLUGIN OR NOT JOINTRIG_GRPC_HEADERS OR NOT JOINTRIG_BOOST_HEADERS OR NOT
   OpenSSL_FOUND)
  set(found OFF)
endif()

option(JOINTRIG_REMOTE "Build `jointrig serve` and its clients" ${found})
if(JOINTRIG_REMOTE AND NOT found)
  message(FATAL_ERROR "JOINTRIG_REMOTE wants gRPC and Boost: install libgrpc++-dev, libprotobuf-dev, "
                      "protobuf-compiler, protobuf-compiler-grpc, libboost-dev and libssl-dev.")
endif()
if(NOT JOINTRIG_REMOTE)
  message(STATUS "jointrig serve is left out: it wants libgrpc++-dev, libprotobuf-dev, protobuf-compiler, "
                 "protobuf-compiler-grpc, libboost-dev and libssl-dev")
  return()
endif()

# Not by gRPC's own CMake files: they ask for the headers of all fifty libraries behind it.
add_library(jointrig_grpc INTERFACE)
target_include_directories(jointrig_grpc SYSTEM INTERFACE "${JOINTRIG_GRPC_HEADERS}")
# Debian's libraries name what they need themselves, but for what gRPC's headers inline: absl's mutex.
target_link_libraries(jointrig_grpc INTERFACE
    "${JOINTRIG_LIBRARY_grpc__}" "${JOINTRIG_LIBRARY_grpc}" "${JOINTRIG_LIBRARY_gpr}" "${JOINTRIG_LIBRARY_protobuf}"
    "${JOINTRIG_LIBRARY_absl_synchronization}")

# Headers alone; its concepts and coroutines are of no use here and cost time to compile.
add_library(jointrig_boost INTERFACE)
target_include_directories(jointrig_boost SYSTEM INTERFACE "${JOINTRIG_BOOST_HEADERS}")
target_compile_definitions(jointrig_boost INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_CONCEPTS)
# Asio's own, where it is inlined.
target_compile_options(jointrig_boost INTERFACE -Wno-null-dereference)

# ROS 2 without ROS: Fast DDS. Not by its CMake files, which ask for libraries that its headers don't.
find_path(JOINTRIG_FASTDDS_HEADERS fastdds/dds/domain/DomainParticipant.hpp DOC "Headers of Fast DDS")
find_library(JOINTRIG_LIBRARY_fastrtps fastrtps)
mark_as_advanced(JOINTRIG_FASTDDS_HEADERS JOINTRIG_LIBRARY_fastrtps)
set(found OFF)
if(JOINTRIG_FASTDDS_HEADERS AND JOINTRIG_LIBRARY_fastrtps)
  set(found ON)
endif()
option(JOINTRIG_ROS2 "Build `jointrig serve --ros2`" ${found})
if(JOINTRIG_ROS2 AND NOT found)
  message(FATAL_ERROR "JOINTRIG_ROS2 wants Fast DDS: install libfastrtps-dev and libfastcdr-dev.")
endif()
if(NOT JOINTRIG_ROS2)
  message(STATUS "jointrig serve --ros2 is left out: it wants libfastrtps-dev and libfastcdr-dev")
  return()
endif()
add_library(jointrig_fastdds INTERFACE)
target_include_directories(jointrig_fastdds SYSTEM INTERFACE "${JOINTRIG_FASTDDS_HEADERS}")
target_link_libraries(jointrig_fastdds INTERFACE "${JOINTRIG_LIBRARY_fastrtps}")
