#pragma once

#include "remote/connection.h"
#include "remote/replay_server.h"
#include "remote/ros2_link.h"
#include "remote/served_robot.h"
#include "remote/viewer_server.h"

namespace jointrig::app {

/// Loads the library with the server, beside the program or where it was installed, and makes one.
/// The library stays loaded. Throws std::runtime_error with what to install, and as make_server().
[[nodiscard]] std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                                          const remote::ServerOptions& options);

/// Likewise, as make_viewer_server().
[[nodiscard]] std::unique_ptr<remote::ViewerServer> load_viewer_server(
    const remote::ServedRobot& robot, remote::Server& programs,
    const remote::ViewerOptions& options);

/// Likewise, as make_replay_server().
[[nodiscard]] std::unique_ptr<remote::ReplayServer> load_replay_server(
    const remote::ReplayedLog& log, const remote::ViewerOptions& options);

/// Likewise, as make_connection(): to a robot that is served elsewhere.
[[nodiscard]] std::unique_ptr<remote::Connection> load_connection(
    const remote::ClientOptions& options);

/// Likewise of the library with ROS 2, as make_ros2_link().
[[nodiscard]] std::unique_ptr<remote::Ros2Link> load_ros2_link(
    const remote::ServedRobot& robot, remote::Server& server, const std::string& options,
    const std::function<void(const std::string&)>& tell);

}  // namespace jointrig::app
