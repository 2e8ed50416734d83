#include "remote/fetched_file.h"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

#include "remote/call_words.h"
#include "remote/client.h"

namespace jointrig::remote {

FetchedFile::FetchedFile(std::unique_ptr<grpc::ClientContext> context, v1::Robot::Stub& stub,
                         const std::string& name)
    : context_(std::move(context)) {
  v1::FileRequest request;
  request.set_name(name);
  reader_ = stub.FetchFile(context_.get(), request);
}

FetchedFile::~FetchedFile() {
  if (is_over_) return;
  context_->TryCancel();
  static_cast<void>(reader_->Finish());
}

std::optional<std::string> FetchedFile::next() {
  v1::FilePart part;
  if (is_over_) return std::nullopt;
  if (reader_->Read(&part)) {
    size_ = part.size();
    come_ += part.data().size();
    return std::move(*part.mutable_data());
  }
  is_over_ = true;
  const grpc::Status status = reader_->Finish();
  if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) {
    throw std::invalid_argument(status.error_message());
  }
  if (!status.ok()) throw ConnectionLost("fetch: " + words_of(status));
  if (come_ != size_) {
    throw ConnectionLost(fmt::format("fetch: {} of {} bytes have come", come_, size_));
  }
  return std::nullopt;
}

}  // namespace jointrig::remote
