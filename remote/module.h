#pragma once
/// The server as a library that is loaded when it is wanted (app/serve/server_library.h).

#include "remote/served_robot.h"
#include "remote/viewer_server.h"

namespace jointrig::remote {

/// Of the function that the library has by the name kEntry: make_server() into `server`.
using MakeServer = void (*)(const ServedRobot& robot, const ServerOptions& options,
                            std::unique_ptr<Server>& server);
inline constexpr const char* kEntry = "jointrig_make_server";
/// Of the function kViewersEntry: make_viewer_server() into `server`.
using MakeViewerServer = void (*)(const ViewedRobot& robot, const ViewerOptions& options,
                                  std::unique_ptr<ViewerServer>& server);
inline constexpr const char* kViewersEntry = "jointrig_make_viewer_server";
inline constexpr const char* kLibrary = "libjointrig_remote.so";

}  // namespace jointrig::remote
