#include "app/sweep/helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "app/run/result_files.h"

namespace jointrig::app {
namespace {

constexpr auto kMostToEnd = std::chrono::seconds(10);  // a choice
constexpr auto kEndLookEvery = std::chrono::milliseconds(10);

std::array<int, 2> pipe_ends() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "can't make a pipe");
  }
  return ends;
}

/// Belongings of a new process: the ends of two pipes, a file for its errors, a group of its own.
class Start {
 public:
  Start(int in, int out, const std::filesystem::path& words) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, words.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  [[nodiscard]] pid_t run(const std::string& program, std::string text) const {
    std::string name = program;
    std::string option = "-c";
    const std::array<char*, 4> arguments{name.data(), option.data(), text.data(), nullptr};
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, program.c_str(), &actions_, &attributes_, arguments.data(), environ);
    if (error == 0) return process;
    throw std::runtime_error("can't start " + program + " (" +
                             std::generic_category().message(error) +
                             "): JOINTRIG_PYTHON names the Python to use");
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

bool has_gone(pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; }

}  // namespace

std::string python_program() {
  const char* python = std::getenv("JOINTRIG_PYTHON");  // NOLINT(concurrency-mt-unsafe): start-up
  return python != nullptr && *python != '\0' ? python : "python3";
}

HelperProcess::HelperProcess(std::string_view text, std::filesystem::path words)
    : words_(std::move(words)) {
  if (words_.has_parent_path()) make_folder(words_.parent_path());
  std::signal(SIGPIPE, SIG_IGN);  // send() tells it
  const std::array<int, 2> in = pipe_ends();
  const std::array<int, 2> out = pipe_ends();
  in_ = in[1];
  out_ = out[0];
  try {
    process_ = Start(in[0], out[1], words_).run(python_program(), std::string(text));
  } catch (...) {
    for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
    throw;
  }
  ::close(in[0]);
  ::close(out[1]);
}

HelperProcess::~HelperProcess() {
  ::close(in_);
  ::close(out_);
  const auto end = std::chrono::steady_clock::now() + kMostToEnd;
  while (!has_gone(process_)) {
    if (std::chrono::steady_clock::now() > end) ::kill(process_, SIGKILL);
    std::this_thread::sleep_for(kEndLookEvery);
  }
}

bool HelperProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t more = ::write(in_, text.data() + sent, text.size() - sent);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    sent += static_cast<std::size_t>(more);
  }
  return true;
}

bool HelperProcess::read_more(std::chrono::milliseconds time) {
  pollfd wanted{out_, POLLIN, 0};
  if (::poll(&wanted, 1, static_cast<int>(time.count())) <= 0) return false;
  std::array<char, 65536> bytes{};
  const ssize_t count = ::read(out_, bytes.data(), bytes.size());
  if (count > 0) unread_.append(bytes.data(), static_cast<std::size_t>(count));
  ended_ = count == 0;
  return count > 0;
}

std::optional<std::string> HelperProcess::next(std::chrono::milliseconds time) {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos && read_more(time)) end = unread_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

std::string HelperProcess::last_words() const {
  std::ifstream in(words_);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = line;
  }
  if (last.empty()) return "";
  return "; the file " + words_.generic_string() + " has its last words: " + last;
}

}  // namespace jointrig::app
