#include "app/run/result_files.h"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "app/text_hash.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kLongestName = 200;  // bytes; file systems take 255
constexpr std::array<std::string_view, 3> kFilesBeside{"junit.xml", "result.json", "report.html"};

bool stays(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '=' || c == ',' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;  // part of a letter beyond ASCII, in UTF-8
}

/// The checksum distinguishes names with the same beginning.
std::string shortened(const std::string& folder) {
  std::size_t end = kLongestName - 17;
  const auto inside_letter = [&](std::size_t i) {
    return (static_cast<unsigned char>(folder[i]) & 0xC0U) == 0x80U;
  };
  while (inside_letter(end)) --end;
  return folder.substr(0, end) + "_" + hex(hash_of(folder));
}

}  // namespace

std::string folder_name(const std::string& name) {
  std::string folder;
  for (const char c : name) folder += stays(c) ? c : '_';
  if (folder.starts_with('.')) folder.front() = '_';
  for (const std::string_view file : kFilesBeside) {
    if (folder == file) folder += '_';
  }
  return folder.size() > kLongestName ? shortened(folder) : folder;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    throw std::runtime_error("can't make the folder " + folder.generic_string() + ": " +
                             failed.message());
  }
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  if (path.has_parent_path()) make_folder(path.parent_path());
  harness::write_whole_file(path, text);
}

}  // namespace jointrig::app
