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
      "this build has no server, because gRPC was missing when it was made: install libgrpc++-dev, "
      "libprotobuf-dev, protobuf-compiler and protobuf-compiler-grpc, then configure and build "
      "again");
}

}  // namespace

std::unique_ptr<remote::Server> load_server(const remote::ServedRobot& robot,
                                            const remote::ServerOptions& options) {
  const fs::path path = library_path();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto make = library == nullptr
                        ? nullptr
                        : reinterpret_cast<remote::MakeServer>(dlsym(library, remote::kEntry));
  if (make == nullptr) {
    throw std::runtime_error("can't load the server (" + std::string(dlerror()) +
                             "): install gRPC's library, libgrpc++1.51 of Debian 12, say");
  }
  std::unique_ptr<remote::Server> server;
  make(robot, options, server);
  return server;
}

}  // namespace jointrig::app
