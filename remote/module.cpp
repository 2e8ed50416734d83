#include "remote/module.h"

/// Fills `server`: a unique_ptr is no type of C's.
extern "C" __attribute__((visibility("default"))) void jointrig_make_server(
    const jointrig::remote::ServedRobot& robot, const jointrig::remote::ServerOptions& options,
    std::unique_ptr<jointrig::remote::Server>& server) {
  server = jointrig::remote::make_server(robot, options);
}

extern "C" __attribute__((visibility("default"))) void jointrig_make_viewer_server(
    const jointrig::remote::ServedRobot& robot, jointrig::remote::Server& programs,
    const jointrig::remote::ViewerOptions& options,
    std::unique_ptr<jointrig::remote::ViewerServer>& server) {
  server = jointrig::remote::make_viewer_server(robot, programs, options);
}

extern "C" __attribute__((visibility("default"))) void jointrig_make_replay_server(
    const jointrig::remote::ReplayedLog& log, const jointrig::remote::ViewerOptions& options,
    std::unique_ptr<jointrig::remote::ReplayServer>& server) {
  server = jointrig::remote::make_replay_server(log, options);
}

extern "C" __attribute__((visibility("default"))) void jointrig_make_connection(
    const jointrig::remote::ClientOptions& options,
    std::unique_ptr<jointrig::remote::Connection>& connection) {
  connection = jointrig::remote::make_connection(options);
}
