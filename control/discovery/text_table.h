#pragma once
/// Columns and paragraphs of text.

#include <string>
#include <vector>

namespace jointrig {

/// Rows of cells as lines: columns as wide as their widest cell, two blanks between them. Columns
/// of numbers line up at the right.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& right_aligned);

/// Lines of at most `width` columns; all but the first, which keeps its own, begin with `indent`
/// blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace jointrig
