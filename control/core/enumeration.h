#pragma once
/// An enumeration whose members and words are listed once.
///
///     #define JOINTRIG_COLOURS(X) X(kRed, "red") X(kGreen, "green")
///     JOINTRIG_ENUM(Colour, JOINTRIG_COLOURS)
///
/// gives `enum class Colour`, `kAllColour` (every member, in order), `to_string(Colour)`,
/// `parse(word, Colour&)`, and `enum_words(Colour)` for code that is given the type. Files, logs
/// and the screen use these words.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// A list may hold more than the word (faults.h adds a sentence); this macro ignores the rest.
#define JOINTRIG_ENUM_MEMBER(member, word, ...) member,
#define JOINTRIG_ENUM_WORD(member, word, ...) std::string_view{word},
#define JOINTRIG_ENUM_COUNT(member, word, ...) +1

// The macro writes a type and its tables: the members can't be put in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define JOINTRIG_ENUM(Name, LIST)                                                                  \
  enum class Name : std::uint8_t { LIST(JOINTRIG_ENUM_MEMBER) };                                   \
  inline constexpr std::array<std::string_view, 0 LIST(JOINTRIG_ENUM_COUNT)> k##Name##Words{       \
      LIST(JOINTRIG_ENUM_WORD)};                                                                   \
  inline constexpr auto kAll##Name = [] {                                                          \
    std::array<Name, k##Name##Words.size()> all{};                                                 \
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Name>(i);                    \
    return all;                                                                                    \
  }();                                                                                             \
  constexpr std::string_view to_string(Name value) noexcept {                                      \
    const auto index = static_cast<std::size_t>(value);                                            \
    return index < k##Name##Words.size() ? k##Name##Words[index] : std::string_view{"?"};          \
  }                                                                                                \
  constexpr std::span<const std::string_view> enum_words(Name) noexcept { return k##Name##Words; } \
  constexpr bool parse(std::string_view word, Name& value) noexcept {                              \
    for (const Name candidate : kAll##Name) {                                                      \
      if (to_string(candidate) == word) {                                                          \
        value = candidate;                                                                         \
        return true;                                                                               \
      }                                                                                            \
    }                                                                                              \
    return false;                                                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)
