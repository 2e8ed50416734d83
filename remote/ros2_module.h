#pragma once
/// ROS 2 as a library that is loaded when it is wanted (app/serve/server_library.h).

#include "remote/ros2_link.h"

namespace jointrig::remote {

/// Of the function that the library has by the name kRos2Entry: make_ros2_link() into `link`.
using MakeRos2Link = void (*)(const ServedRobot& robot, Server& server, const std::string& options,
                              const std::function<void(const std::string&)>& tell,
                              std::unique_ptr<Ros2Link>& link);
inline constexpr const char* kRos2Entry = "jointrig_make_ros2_link";
inline constexpr const char* kRos2Library = "libjointrig_ros2.so";

}  // namespace jointrig::remote
