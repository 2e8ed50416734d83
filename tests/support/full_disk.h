#pragma once
/// A disk without room, everywhere and for everybody: no file may grow. The system then says EFBIG,
/// and that way it does to root, too, for whom a folder without write access is none.

#include <sys/resource.h>

#include <csignal>

namespace jointrig::testing {

class FullDisk {
 public:
  /// @param room  bytes that a file may have
  explicit FullDisk(rlim_t room = 0) {
    was_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{room, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, was_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*was_)(int) = nullptr;
};

}  // namespace jointrig::testing
