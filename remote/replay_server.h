#pragma once
/// A log that viewers play, over the protocol of viewer_server.h.

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "remote/viewer_server.h"

namespace jointrig::remote {

struct ReplayedLog {
  std::string path;
  std::string version;  ///< of jointrig
  float speed = 1.0F;   ///< to begin with; kLeastPlaybackSpeed to kMostPlaybackSpeed
  bool is_paused = false;
};

class ReplayServer {
 public:
  ReplayServer() = default;
  ReplayServer(const ReplayServer&) = delete;
  ReplayServer& operator=(const ReplayServer&) = delete;
  /// Ends all connections.
  virtual ~ReplayServer() = default;

  [[nodiscard]] virtual int port() const = 0;
  /// Of the log's messages [ns].
  [[nodiscard]] virtual std::int64_t start_ns() const = 0;
  [[nodiscard]] virtual std::int64_t end_ns() const = 0;
  /// Topics that are not sent: their messages aren't CDR with a definition in ros2msg.
  [[nodiscard]] virtual const std::set<std::string>& left_out() const = 0;
  /// Why the log could not be read any further; empty: it could. Any thread.
  [[nodiscard]] virtual std::string failure() const = 0;
};

/// Serves from now on. Throws std::invalid_argument or std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<ReplayServer> make_replay_server(const ReplayedLog& log,
                                                               const ViewerOptions& options);

}  // namespace jointrig::remote
