#include "remote/file_calls.h"

#include <fmt/core.h>

namespace jointrig::remote {
namespace {

/// Counts up while it lives.
class Count {
 public:
  explicit Count(std::atomic<int>& number) : number_(&number), before_(number.fetch_add(1)) {}
  ~Count() { number_->fetch_sub(1); }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;
  [[nodiscard]] int before() const noexcept { return before_; }

 private:
  std::atomic<int>* number_;
  int before_;
};

}  // namespace

void FileCalls::list(v1::FileList& reply) const {
  const ServedFiles::List list = files_.list();
  for (const ServedFile& file : list.files) {
    v1::File& message = *reply.add_files();
    message.set_name(file.name);
    message.set_size(file.size);
    message.set_time_ns(file.time_ns);
  }
  reply.set_left_out(list.left_out);
}

grpc::Status FileCalls::send(const std::string& name, grpc::ServerWriter<v1::FilePart>& stream,
                             const std::function<bool()>& is_over) {
  const Count count(on_their_way_);
  if (count.before() >= kAtOnce) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            fmt::format("file: {} are being fetched already: try again later", kAtOnce)};
  }
  try {
    OpenFile file = files_.open(name);
    v1::FilePart part;
    part.set_size(file.size());
    bool is_first = true;  // it tells the size, of an empty file as well
    for (file.next(kPart, *part.mutable_data()); is_first || !part.data().empty();
         file.next(kPart, *part.mutable_data())) {
      if (is_over() || !stream.Write(part)) break;
      is_first = false;
    }
  } catch (const std::invalid_argument& error) {
    return {grpc::StatusCode::INVALID_ARGUMENT, error.what()};
  } catch (const std::exception& error) {
    return {grpc::StatusCode::DATA_LOSS, fmt::format("file '{}': {}", name, error.what())};
  }
  return grpc::Status::OK;
}

}  // namespace jointrig::remote
