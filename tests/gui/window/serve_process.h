#pragma once
/// `jointrig serve franka` in a process of its own; killed at the end.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace jointrig::testing {

class ServeProcess {
 public:
  /// Returns once it listens. The program is that of $JOINTRIG.
  explicit ServeProcess(std::string listen) {
    std::string program = std::getenv("JOINTRIG");
    std::string verb = "serve", robot = "franka", option = "--listen";
    std::array<char*, 6> arguments{program.data(), verb.data(),   robot.data(),
                                   option.data(),  listen.data(), nullptr};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error =
        posix_spawn(&id_, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
    if (error != 0) throw std::runtime_error("can't start " + program);
    address_ = address_of(line());
  }
  ~ServeProcess() {
    send(SIGKILL);
    waitpid(id_, nullptr, 0);
    std::fclose(output_);
  }
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  void send(int signal) const { kill(id_, signal); }
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  [[nodiscard]] std::string line() const {
    char text[500] = "";
    if (std::fgets(text, sizeof text, output_) == nullptr) return "no line";
    return text;
  }
  /// In quotes.
  static std::string address_of(const std::string& line) {
    const std::size_t from = line.find('"');
    const std::size_t to = line.find('"', from + 1);
    if (to == std::string::npos) throw std::runtime_error("jointrig serve said: " + line);
    return line.substr(from + 1, to - from - 1);
  }

  pid_t id_ = 0;
  std::FILE* output_ = nullptr;
  std::string address_;
};

}  // namespace jointrig::testing
