#pragma once
/// The server, and a client of one, as a library that is loaded when it is wanted
/// (app/serve/server_library.h).

#include "remote/connection.h"
#include "remote/replay_server.h"
#include "remote/served_robot.h"
#include "remote/viewer_server.h"

namespace jointrig::remote {

/// Of the function that the library has by the name kEntry: make_server() into `server`.
using MakeServer = void (*)(const ServedRobot& robot, const ServerOptions& options,
                            std::unique_ptr<Server>& server);
inline constexpr const char* kEntry = "jointrig_make_server";
/// Of the function kViewersEntry: make_viewer_server() into `server`.
using MakeViewerServer = void (*)(const ServedRobot& robot, Server& programs,
                                  const ViewerOptions& options,
                                  std::unique_ptr<ViewerServer>& server);
inline constexpr const char* kViewersEntry = "jointrig_make_viewer_server";
/// Of the function kReplayEntry: make_replay_server() into `server`.
using MakeReplayServer = void (*)(const ReplayedLog& log, const ViewerOptions& options,
                                  std::unique_ptr<ReplayServer>& server);
inline constexpr const char* kReplayEntry = "jointrig_make_replay_server";
/// Of the function kConnectEntry: make_connection() into `connection`.
using MakeConnection = void (*)(const ClientOptions& options,
                                std::unique_ptr<Connection>& connection);
inline constexpr const char* kConnectEntry = "jointrig_make_connection";
inline constexpr const char* kLibrary = "libjointrig_remote.so";

}  // namespace jointrig::remote
