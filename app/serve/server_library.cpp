#include "app/serve/server_library.h"

#include <string>

#include "app/own_library.h"
#include "remote/module.h"
#include "remote/ros2_module.h"

namespace jointrig::app {
namespace {

constexpr OwnLibrary kServer{
    remote::kLibrary,
    "this build has neither server nor client: run 'cmake --build build/release --target "
    "jointrig_installed'. "
    "Without gRPC and Boost install libgrpc++-dev, libprotobuf-dev, protobuf-compiler, "
    "protobuf-compiler-grpc, libboost-dev and libssl-dev, and configure again, before that",
    "can't load the library with server and client ({}): install gRPC's library, libgrpc++1.51 of "
    "Debian 12, say"};
constexpr OwnLibrary kRos2{
    remote::kRos2Library,
    "--ros2: this build has no Fast DDS: install libfastrtps-dev and libfastcdr-dev, configure "
    "again and run 'cmake --build build/release --target jointrig_installed'",
    "--ros2: can't load Fast DDS ({}): install its library, libfastrtps2.9 of Debian 12, say"};

}  // namespace

std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                            const remote::ServerOptions& options) {
  std::unique_ptr<remote::Server> server;
  own_function<remote::MakeServer>(kServer, remote::kEntry)(robot, options, server);
  return server;
}

std::unique_ptr<remote::ViewerServer> load_viewer_server(const remote::ServedRobot& robot,
                                                         remote::Server& programs,
                                                         const remote::ViewerOptions& options) {
  std::unique_ptr<remote::ViewerServer> server;
  own_function<remote::MakeViewerServer>(kServer, remote::kViewersEntry)(robot, programs, options,
                                                                         server);
  return server;
}

std::unique_ptr<remote::ReplayServer> load_replay_server(const remote::ReplayedLog& log,
                                                         const remote::ViewerOptions& options) {
  std::unique_ptr<remote::ReplayServer> server;
  own_function<remote::MakeReplayServer>(kServer, remote::kReplayEntry)(log, options, server);
  return server;
}

std::unique_ptr<remote::Connection> load_connection(const remote::ClientOptions& options) {
  std::unique_ptr<remote::Connection> connection;
  own_function<remote::MakeConnection>(kServer, remote::kConnectEntry)(options, connection);
  return connection;
}

std::unique_ptr<remote::Ros2Link> load_ros2_link(
    const remote::ServedRobot& robot, remote::Server& server, const std::string& options,
    const std::function<void(const std::string&)>& tell) {
  std::unique_ptr<remote::Ros2Link> link;
  own_function<remote::MakeRos2Link>(kRos2, remote::kRos2Entry)(robot, server, options, tell, link);
  return link;
}

}  // namespace jointrig::app
