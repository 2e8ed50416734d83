#pragma once
/// Compression of a log's chunks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace jointrig::harness {

enum class Compression : std::uint8_t { kNone, kLz4, kZstd };

/// The word that MCAP stores: "", "lz4", "zstd".
std::string_view to_string(Compression compression) noexcept;
std::optional<Compression> compression_from(std::string_view word) noexcept;

class Compressor {
 public:
  /// Throws std::bad_alloc.
  explicit Compressor(Compression kind);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  Compression kind() const noexcept { return kind_; }
  /// Upper bound of the compressed size of `size` bytes.
  std::size_t bound(std::size_t size) const noexcept;
  /// Returns the bytes used of `out`; 0 if it failed. Allocates nothing.
  std::size_t compress(std::span<const std::byte> in, std::span<std::byte> out) noexcept;

 private:
  Compression kind_;
  struct Zstd;
  std::unique_ptr<Zstd> zstd_;
};

/// Decompresses all of `in`; returns fewer bytes than `out` has if the input is cut or damaged.
std::size_t decompress(Compression kind, std::span<const std::byte> in,
                       std::span<std::byte> out) noexcept;

}  // namespace jointrig::harness
