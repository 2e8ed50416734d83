#include "app/serve/server_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "remote/module.h"
#include "remote/ros2_module.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// A library of this build, and what to do where it is missing.
struct Library {
  const char* name;
  const char* absent;   ///< from this build
  const char* to_load;  ///< what it needs of the system
};
constexpr Library kServer{
    remote::kLibrary,
    "this build has no server: run 'cmake --build build/release --target jointrig_installed'. "
    "Without gRPC and Boost install libgrpc++-dev, libprotobuf-dev, protobuf-compiler, "
    "protobuf-compiler-grpc, libboost-dev and libssl-dev, and configure again, before that",
    "can't load the server ({}): install gRPC's library, libgrpc++1.51 of Debian 12, say"};
constexpr Library kRos2{
    remote::kRos2Library,
    "--ros2: this build has no Fast DDS: install libfastrtps-dev and libfastcdr-dev, configure "
    "again and run 'cmake --build build/release --target jointrig_installed'",
    "--ros2: can't load Fast DDS ({}): install its library, libfastrtps2.9 of Debian 12, say"};

fs::path path_of(const Library& library) {
  const fs::path here = fs::canonical("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib" / "jointrig"}) {
    if (fs::exists(folder / library.name)) return folder / library.name;
  }
  throw std::runtime_error(library.absent);
}

/// Function of the library, which stays loaded.
template <typename Function>
Function entry(const Library& library, const char* name) {
  void* const handle = dlopen(path_of(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto found = handle == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle, name));
  if (found == nullptr) {
    std::string sentence = library.to_load;
    throw std::runtime_error(sentence.replace(sentence.find("{}"), 2, dlerror()));
  }
  return found;
}

}  // namespace

std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                            const remote::ServerOptions& options) {
  std::unique_ptr<remote::Server> server;
  entry<remote::MakeServer>(kServer, remote::kEntry)(robot, options, server);
  return server;
}

std::unique_ptr<remote::ViewerServer> load_viewer_server(const remote::ViewedRobot& robot,
                                                         const remote::ViewerOptions& options) {
  std::unique_ptr<remote::ViewerServer> server;
  entry<remote::MakeViewerServer>(kServer, remote::kViewersEntry)(robot, options, server);
  return server;
}

std::unique_ptr<remote::Ros2Link> load_ros2_link(
    const remote::ServedRobot& robot, remote::Server& server, const std::string& options,
    const std::function<void(const std::string&)>& tell) {
  std::unique_ptr<remote::Ros2Link> link;
  entry<remote::MakeRos2Link>(kRos2, remote::kRos2Entry)(robot, server, options, tell, link);
  return link;
}

}  // namespace jointrig::app
