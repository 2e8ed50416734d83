#include "gui/plot/packed_samples.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jointrig::gui {
namespace {

constexpr std::size_t kBlocks = PackedSamples::kSamples / PackedSamples::kBlock;
constexpr std::size_t kChanges = PackedSamples::kBlock - 1;  // per block
constexpr std::size_t kSlack = sizeof(std::uint64_t);  // a word is read where a byte is needed
constexpr std::uint32_t kSign = 0x80000000U;

std::uint32_t key_of(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
float value_of(std::uint32_t key) noexcept {
  return std::bit_cast<float>((key & kSign) != 0 ? key & ~kSign : ~key);
}

/// 0, −1, 1, −2 … become 0, 1, 2, 3 …
std::uint32_t folded(std::uint32_t change) noexcept {
  return (change << 1U) ^ ((change & kSign) != 0 ? ~0U : 0U);
}
std::uint32_t unfolded(std::uint32_t folded) noexcept {
  return (folded >> 1U) ^ ((folded & 1U) != 0 ? ~0U : 0U);
}

constexpr std::size_t bytes_of_block(std::size_t bits) noexcept {
  return sizeof(std::uint32_t) + (kChanges * bits + 7) / 8;
}

using Keys = std::array<std::uint32_t, PackedSamples::kSamples>;

/// Bits of the largest change of each block.
std::array<std::uint8_t, kBlocks> bits_of(const Keys& keys) noexcept {
  std::array<std::uint8_t, kBlocks> bits{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % PackedSamples::kBlock == 0) continue;
    std::uint8_t& most = bits[i / PackedSamples::kBlock];
    most = std::max(most, static_cast<std::uint8_t>(std::bit_width(folded(keys[i] - keys[i - 1]))));
  }
  return bits;
}

void pack_block(const std::uint32_t* keys, std::size_t bits, std::byte* out) noexcept {
  std::memcpy(out, keys, sizeof *keys);
  out += sizeof *keys;
  for (std::size_t i = 0; i < kChanges; ++i) {
    const std::size_t at = i * bits;
    std::uint64_t word = 0;
    std::memcpy(&word, out + at / 8, sizeof word);
    word |= static_cast<std::uint64_t>(folded(keys[i + 1] - keys[i])) << at % 8;
    std::memcpy(out + at / 8, &word, sizeof word);
  }
}

}  // namespace

PackedSamples::PackedSamples(std::span<const float, kSamples> samples) {
  Keys keys{};
  std::transform(samples.begin(), samples.end(), keys.begin(), key_of);
  same_ = keys.front();
  if (std::all_of(keys.begin(), keys.end(), [&](std::uint32_t key) { return key == same_; })) {
    return;
  }
  const auto bits = bits_of(keys);
  std::size_t size = bits.size() + kSlack;
  for (const std::uint8_t b : bits) size += bytes_of_block(b);
  data_ = std::make_unique<std::byte[]>(size);
  bytes_ = static_cast<std::uint32_t>(size);
  std::memcpy(data_.get(), bits.data(), bits.size());
  // Forwards: the word with a block's last change reaches into the next block, which is still
  // empty.
  std::byte* out = data_.get() + bits.size();
  for (std::size_t b = 0; b < kBlocks; ++b) {
    pack_block(keys.data() + b * kBlock, bits[b], out);
    out += bytes_of_block(bits[b]);
  }
}

PackedSamples::Block PackedSamples::block(std::size_t block) const noexcept {
  Block samples{};
  if (data_ == nullptr) {
    samples.fill(value_of(same_));
    return samples;
  }
  const std::byte* in = data_.get() + kBlocks;
  for (std::size_t b = 0; b < block; ++b) {
    in += bytes_of_block(std::to_integer<std::size_t>(data_[b]));
  }
  const auto bits = std::to_integer<std::size_t>(data_[block]);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint32_t key = 0;
  std::memcpy(&key, in, sizeof key);
  in += sizeof key;
  samples[0] = value_of(key);
  for (std::size_t i = 0; i < kChanges; ++i) {
    const std::size_t at = i * bits;
    std::uint64_t word = 0;
    std::memcpy(&word, in + at / 8, sizeof word);
    key += unfolded(static_cast<std::uint32_t>(word >> at % 8 & mask));
    samples[i + 1] = value_of(key);
  }
  return samples;
}

}  // namespace jointrig::gui
