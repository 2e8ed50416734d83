#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "remote/file_stream.h"
#include "remote/robot.grpc.pb.h"

namespace jointrig::remote {

/// A file of a server, as it comes.
class FetchedFile final : public FileStream {
 public:
  /// @param context  ready for a call
  FetchedFile(std::unique_ptr<grpc::ClientContext> context, v1::Robot::Stub& stub,
              const std::string& name);
  ~FetchedFile() override;
  FetchedFile(const FetchedFile&) = delete;
  FetchedFile& operator=(const FetchedFile&) = delete;

  /// Throws std::invalid_argument or ConnectionLost.
  std::optional<std::string> next() override;
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  void cancel() noexcept override { context_->TryCancel(); }

 private:
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<v1::FilePart>> reader_;
  std::uint64_t size_ = 0;
  std::uint64_t come_ = 0;
  bool is_over_ = false;
};

}  // namespace jointrig::remote
