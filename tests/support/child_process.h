#pragma once
/// A program that runs beside a test, and never longer: its owner kills it, and where the test's
/// process ends without that, the kernel does.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace jointrig::testing {

class ChildProcess {
 public:
  /// From a thread that lives as long as the child. Throws std::runtime_error.
  explicit ChildProcess(const std::vector<std::string>& command) {
    // After the kernel knows of it: a parent that died before leaves a program that doesn't begin.
    std::vector<std::string> words{"setpriv",
                                   "--pdeathsig",
                                   "KILL",
                                   "--",
                                   "sh",
                                   "-c",
                                   R"([ "$PPID" = "$0" ] && exec "$@")",
                                   std::to_string(getpid())};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error =
        posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = fdopen(ends[0], "r");
    if (error != 0) {
      std::fclose(output_);
      throw std::runtime_error("can't start " + command.front());
    }
  }
  ~ChildProcess() {
    send(SIGKILL);
    if (!is_over_) waitpid(id_, nullptr, 0);
    std::fclose(output_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void send(int signal) const {
    if (!is_over_) kill(id_, signal);
  }
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
