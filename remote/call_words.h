#pragma once

#include <grpcpp/support/status.h>

#include <string>

namespace jointrig::remote {

/// Reason for which a call to the server has failed, for the end of a sentence.
inline std::string words_of(const grpc::Status& status) {
  return status.error_message().empty() ? "the connection ended" : status.error_message();
}

}  // namespace jointrig::remote
