#pragma once

#include <filesystem>
#include <string>

#include "remote/client.h"

namespace jointrig::app {

/// Where a served robot is, and what a program wants of it.
struct RemoteRobot {
  std::string address;               ///< HOST, or HOST:PORT
  std::string robot;                 ///< that has to be served there; empty: any
  std::filesystem::path tls_ca;      ///< certificates by which the server's is checked; empty: none
  std::filesystem::path token_file;  ///< empty: no token
  double rate = 200.0;               ///< states a second; 0: one each cycle
};

/// Options of a connection. Throws std::invalid_argument: no address, or a file that can't be read.
/// @param name  by which others are told who holds the robot; the host's name is added
[[nodiscard]] remote::ClientOptions client_options(const RemoteRobot& robot,
                                                   const std::string& name);

}  // namespace jointrig::app
