#include "control/discovery/text_table.h"

#include <algorithm>
#include <sstream>

namespace jointrig {
namespace {

/// Number of columns of a text: UTF-8 characters, not bytes.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& right_aligned) {
  std::vector<std::size_t> widths(right_aligned.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - columns(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (right_aligned[c] ? blanks + row[c] : row[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream words(text);
  std::string result;
  std::string line(std::min(text.find_first_not_of(' '), text.size()), ' ');
  for (std::string word; words >> word;) {
    if (line.find_first_not_of(' ') != std::string::npos &&
        columns(line) + 1 + columns(word) > width) {
      result += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.find_first_not_of(' ') == std::string::npos ? "" : " ") + word;
    }
  }
  return result + line + "\n";
}

}  // namespace jointrig
