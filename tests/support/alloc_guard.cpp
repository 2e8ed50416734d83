#include "tests/support/alloc_guard.h"

#include <cxxabi.h>
#include <execinfo.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <utility>

namespace jointrig {

namespace interposed {
void link_memory() noexcept;  // in interposed_memory.cpp; named so that the linker takes the file
void link_calls() noexcept;   // in interposed_calls.cpp
}  // namespace interposed

namespace {

thread_local constinit RealtimeGuard* guard_of_this_thread = nullptr;

/// Asks `addr2line` (binutils) for an address that backtrace_symbols has no name for, such as a
/// function in an unnamed namespace. Empty where there is no such tool.
std::string look_up(const std::string& program, const std::string& offset) {
  const std::string command = "addr2line -C -f -p -s -e '" + program + "' " + offset + " 2>&1";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> tool{popen(command.c_str(), "r"), &pclose};
  std::array<char, 512> line{};
  if (tool == nullptr || std::fgets(line.data(), line.size(), tool.get()) == nullptr) return {};
  std::string text{line.data()};
  if (text.find('?') == 0 || text.find("addr2line:") != std::string::npos) return {};
  return text.substr(0, text.find('\n'));
}

std::string demangle(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name{
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free};
  return status == 0 ? std::string{name.get()} : mangled;
}

/// From `program(function+0x12) [0x...]` the function's name as written in C++, else as it came.
std::string readable(const std::string& symbol) {
  const std::size_t open = symbol.find('(');
  const std::size_t plus = open == std::string::npos ? open : symbol.find('+', open);
  const std::size_t close = plus == std::string::npos ? plus : symbol.find(')', plus);
  if (close == std::string::npos) return symbol;
  if (plus > open + 1) return demangle(symbol.substr(open + 1, plus - open - 1));
  const std::string found =
      look_up(symbol.substr(0, open), symbol.substr(plus + 1, close - plus - 1));
  return found.empty() ? symbol : found;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ViolationCounts& counts) {
  const char* comma = "";
  for (const RealtimeViolation kind : kAllRealtimeViolation) {
    if (counts[kind] == 0) continue;
    out << std::exchange(comma, ", ") << to_string(kind) << ' ' << counts[kind];
  }
  return *comma == '\0' ? out << "none" : out;
}

RealtimeGuard::RealtimeGuard() noexcept {
  interposed::link_memory();
  interposed::link_calls();
  first_depth_ = backtrace(first_stack_.data(), kDeepest);  // its first call loads a library
  guard_of_this_thread = this;
}

RealtimeGuard::~RealtimeGuard() { end(); }

void RealtimeGuard::end() noexcept {
  if (guard_of_this_thread == this) guard_of_this_thread = nullptr;
}

ViolationCounts RealtimeGuard::violations() noexcept {
  end();
  return counts_;
}

std::string RealtimeGuard::report() {
  end();
  if (first_function_ == nullptr) return "nothing that a real-time cycle must not do";
  std::string text = std::string{"first: "} + first_function_ + ", called by\n";
  const std::unique_ptr<char*, decltype(&std::free)> symbols{
      backtrace_symbols(first_stack_.data(), first_depth_), &std::free};
  bool is_caller = false;  // the frames before it are the guard's own
  for (int i = 0; symbols != nullptr && i < first_depth_; ++i) {
    is_caller = is_caller || first_stack_[static_cast<std::size_t>(i)] == first_caller_;
    if (is_caller) text += "  " + readable(symbols.get()[i]) + "\n";
  }
  return text;
}

void RealtimeGuard::saw(RealtimeViolation kind, const char* function, const void* caller) noexcept {
  if (guard_of_this_thread != nullptr) guard_of_this_thread->note(kind, function, caller);
}

void RealtimeGuard::note(RealtimeViolation kind, const char* function,
                         const void* caller) noexcept {
  ++counts_.of[static_cast<std::size_t>(kind)];
  if (first_function_ != nullptr) return;
  first_function_ = function;
  first_caller_ = caller;
  guard_of_this_thread = nullptr;  // what the backtrace does itself doesn't count
  first_depth_ = backtrace(first_stack_.data(), kDeepest);
  guard_of_this_thread = this;
}

}  // namespace jointrig
