#pragma once
/// A client that holds the lease, in a process of its own.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace jointrig::testing {

/// `remote_holder`; killed at the end.
class HolderProcess {
 public:
  HolderProcess(std::string program, std::string argument) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    char* const arguments[] = {program.data(), argument.data(), nullptr};
    const int error = posix_spawn(&id_, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
    if (error != 0) throw std::runtime_error("can't start " + program);
  }
  ~HolderProcess() {
    send(SIGKILL);
    if (!is_over_) waitpid(id_, nullptr, 0);
    std::fclose(output_);
  }
  HolderProcess(const HolderProcess&) = delete;
  HolderProcess& operator=(const HolderProcess&) = delete;

  void send(int signal) const { kill(id_, signal); }
  void wait_for_freeze() const { waitpid(id_, nullptr, WUNTRACED); }
  void wait_for_death() {
    waitpid(id_, nullptr, 0);
    is_over_ = true;
  }
  /// Its next line.
  [[nodiscard]] std::string line() const {
    char text[500] = "";
    if (std::fgets(text, sizeof text, output_) == nullptr) return "no line";
    return std::string(text).substr(0, std::string(text).find('\n'));
  }

 private:
  pid_t id_ = 0;
  std::FILE* output_ = nullptr;
  bool is_over_ = false;
};

}  // namespace jointrig::testing
