#pragma once

#include <random>
#include <string>
#include <string_view>

namespace jointrig::can {

/// Damages text as a bad line would, from a seed.
class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::uint32_t pick(std::uint32_t below) {
    return std::uniform_int_distribution<std::uint32_t>(0, below - 1)(random_);
  }

  /// Up to four bytes changed, cut out, doubled or put in; most often letters of the protocols.
  void hurt(std::string& text) {
    for (std::uint32_t n = pick(5); n > 0; --n) {
      const std::size_t at = text.empty() ? 0 : pick(static_cast<std::uint32_t>(text.size()));
      switch (pick(5)) {
        case 0:
          text.insert(at, 1, any_byte());
          break;
        case 1:
          text.erase(at);
          break;
        case 2:
          text.erase(at, pick(4));
          break;
        case 3:
          text.insert(at, text.substr(0, pick(40)));
          break;
        default:
          if (!text.empty()) text[at] = any_byte();
      }
    }
  }

  std::mt19937& random() { return random_; }

 private:
  char any_byte() {
    constexpr std::string_view kFavourites = "tTrRdDbBsezZ\r\a\n<> 0189AFaf";
    return pick(2) == 0 ? kFavourites[pick(kFavourites.size())] : static_cast<char>(pick(256));
  }

  std::mt19937 random_;
};

}  // namespace jointrig::can
