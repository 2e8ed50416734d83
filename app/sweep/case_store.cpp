#include "app/sweep/case_store.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/run/result_files.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part-";

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

bool is_alive(std::string_view process) {
  int pid = 0;
  std::from_chars(process.data(), process.data() + process.size(), pid);
  return pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH;
}

}  // namespace

CaseStore::CaseStore(fs::path folder)
    : folder_(std::move(folder)), owner_(fmt::format("{}-{}", host_name(), ::getpid())) {
  make_folder(folder_);
  remove_left_parts();
}

void CaseStore::remove_left_parts() const {
  const std::string mine = "-" + host_name() + "-";
  std::error_code failed;
  for (fs::directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed)) {
    const std::string name = it->path().filename().string();
    const std::size_t host = name.rfind(mine);
    if (!name.starts_with(kPart) || host == std::string::npos) continue;
    if (is_alive(std::string_view(name).substr(host + mine.size()))) continue;
    std::error_code ignored;  // it only takes room
    fs::remove_all(it->path(), ignored);
  }
}

bool CaseStore::has(const std::string& hash, const std::string& inputs) const {
  std::ifstream in(folder_of(hash) / kInputsFile, std::ios::binary);
  if (!in) return false;
  std::ostringstream text;
  text << in.rdbuf();
  if (text.str() == inputs) return true;
  throw std::runtime_error((folder_of(hash) / kInputsFile).generic_string() +
                           " has other inputs than the case of that hash: somebody has changed "
                           "it; remove the folder");
}

fs::path CaseStore::part_of(const std::string& hash) const {
  return folder_ / (std::string(kPart) + hash + "-" + owner_);
}

fs::path CaseStore::begin(const std::string& hash) const {
  drop(hash);
  make_folder(part_of(hash));
  return part_of(hash);
}

void CaseStore::keep(const std::string& hash) const {
  std::error_code failed;
  fs::rename(part_of(hash), folder_of(hash), failed);
  if (!failed) return;
  drop(hash);
  // Another process was faster with the same case.
  if (fs::exists(folder_of(hash) / kInputsFile)) return;
  throw std::runtime_error("can't make the folder " + folder_of(hash).generic_string() + ": " +
                           failed.message());
}

void CaseStore::drop(const std::string& hash) const noexcept {
  std::error_code ignored;  // it only takes room
  fs::remove_all(part_of(hash), ignored);
}

}  // namespace jointrig::app
