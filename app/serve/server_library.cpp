#include "app/serve/server_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "remote/module.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

fs::path library_path() {
  const fs::path here = fs::canonical("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib" / "jointrig"}) {
    if (fs::exists(folder / remote::kLibrary)) return folder / remote::kLibrary;
  }
  throw std::runtime_error(
      "this build has no server: run 'cmake --build build/release --target jointrig_installed'. "
      "Without gRPC and Boost install libgrpc++-dev, libprotobuf-dev, protobuf-compiler, "
      "protobuf-compiler-grpc, libboost-dev and libssl-dev, and configure again, before that");
}

/// Function of the library, which stays loaded.
template <typename Function>
Function entry(const char* name) {
  void* const library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto found =
      library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) {
    throw std::runtime_error("can't load the server (" + std::string(dlerror()) +
                             "): install gRPC's library, libgrpc++1.51 of Debian 12, say");
  }
  return found;
}

}  // namespace

std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                            const remote::ServerOptions& options) {
  std::unique_ptr<remote::Server> server;
  entry<remote::MakeServer>(remote::kEntry)(robot, options, server);
  return server;
}

std::unique_ptr<remote::ViewerServer> load_viewer_server(const remote::ViewedRobot& robot,
                                                         const remote::ViewerOptions& options) {
  std::unique_ptr<remote::ViewerServer> server;
  entry<remote::MakeViewerServer>(remote::kViewersEntry)(robot, options, server);
  return server;
}

}  // namespace jointrig::app
