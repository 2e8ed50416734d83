#pragma once
/// The calls of robot.proto for files, for the server's threads: they touch the disk and never the
/// robot.

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>

#include "remote/robot.grpc.pb.h"
#include "remote/served_files.h"

namespace jointrig::remote {

class FileCalls {
 public:
  static constexpr std::size_t kPart = 256 * 1024;  ///< bytes of a message; a choice
  static constexpr int kAtOnce =
      4;  ///< files on their way, each a thread of the server's; a choice

  explicit FileCalls(ServedFiles files) : files_(std::move(files)) {}

  void list(v1::FileList& reply) const;
  /// Sends it in parts. @param is_over  asked before each
  grpc::Status send(const std::string& name, grpc::ServerWriter<v1::FilePart>& stream,
                    const std::function<bool()>& is_over);

 private:
  ServedFiles files_;
  std::atomic<int> on_their_way_{0};
};

}  // namespace jointrig::remote
