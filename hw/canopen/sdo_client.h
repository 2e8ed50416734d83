#pragma once
/// The client's side of an SDO (CiA 301, 7.2.4): one transfer at a time with one node, expedited
/// up to 4 bytes, in segments above.
///
/// A refusal of the node is final. A transfer that is lost or garbled on the way (no answer, toggle
/// bit) is given up with an abort and tried again from its start. An answer that does not fit the
/// step is a late one of an earlier try: it is counted and not used, and since a node's answers
/// come in their order, the right one follows.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hw/canopen/abort_code.h"
#include "hw/canopen/frame_queue.h"
#include "hw/canopen/sdo_frame.h"

namespace jointrig::canopen {

struct SdoClientOptions {
  std::int64_t time_out = 100'000'000;  ///< [ns] for each answer
  int tries = 3;                        ///< at least one is made
  std::size_t longest = 1024;           ///< [bytes] of a value
};

class SdoClient {
 public:
  enum class State : std::uint8_t { kIdle, kBusy, kDone, kFailed };

  /// Allocates its buffer; nothing else does.
  /// @param node  1..127
  explicit SdoClient(std::uint8_t node, SdoClientOptions options = {});

  /// Starts to read or write.
  /// @return false if a transfer is under way or the value is too long
  bool upload(std::uint16_t index, std::uint8_t sub, std::int64_t now, FrameQueue& out) noexcept;
  bool download(std::uint16_t index, std::uint8_t sub, std::span<const std::uint8_t> value,
                std::int64_t now, FrameQueue& out) noexcept;
  /// Gives up what is under way, with a word to the node.
  void cancel(FrameQueue& out) noexcept;

  /// @return false if the frame is none of this node's answers
  bool receive(const can::Frame& frame, std::int64_t now, FrameQueue& out) noexcept;
  void poll(std::int64_t now, FrameQueue& out) noexcept;

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Bytes that were read; valid in kDone until the next transfer starts.
  [[nodiscard]] std::span<const std::uint8_t> value() const noexcept {
    return std::span(buffer_).first(length_);
  }
  /// Why, in kFailed.
  [[nodiscard]] AbortCode failure() const noexcept { return failure_; }
  [[nodiscard]] bool refused_by_node() const noexcept { return refused_by_node_; }
  [[nodiscard]] int tries_made() const noexcept { return tries_; }
  /// Answers that nothing had asked for: late ones, or a second node with the same number.
  [[nodiscard]] std::uint64_t unexpected() const noexcept { return unexpected_; }

  /// "node 5, 6040h:0: the object is read-only (0601 0002h, from the node)". Allocates.
  [[nodiscard]] std::string failure_text() const;

 private:
  enum class Step : std::uint8_t { kNone, kStart, kSegments };
  using Answer = std::span<const std::uint8_t, 8>;

  void start(std::int64_t now, FrameQueue& out) noexcept;
  void on_start_of_upload(Answer answer, FrameQueue& out) noexcept;
  void on_upload_segment(Answer answer, FrameQueue& out) noexcept;
  void on_download_answer(Answer answer, FrameQueue& out) noexcept;
  void ask_segment(FrameQueue& out) noexcept;
  void send_segment(FrameQueue& out) noexcept;
  void done() noexcept;
  void refused(Answer answer) noexcept;
  void give_up(AbortCode code, FrameQueue& out) noexcept;
  void try_again(AbortCode code, FrameQueue& out) noexcept;
  void send_abort(AbortCode code, FrameQueue& out) const noexcept;
  [[nodiscard]] bool is_about_this(Answer answer) const noexcept;
  [[nodiscard]] sdo::Server expected() const noexcept;

  std::uint8_t node_;
  SdoClientOptions options_;
  State state_ = State::kIdle;
  Step step_ = Step::kNone;
  bool uploading_ = true;
  std::uint16_t index_ = 0;
  std::uint8_t sub_ = 0;
  std::vector<std::uint8_t> buffer_;
  std::size_t length_ = 0;     // bytes in the buffer
  std::size_t done_ = 0;       // of a download: bytes sent
  std::size_t sending_ = 0;    // of a download: bytes of the segment under way
  std::size_t announced_ = 0;  // of an upload; 0: not said
  bool toggle_ = false;
  int tries_ = 0;
  std::int64_t now_ = 0;
  std::int64_t deadline_ = 0;
  AbortCode failure_ = AbortCode::kNone;
  bool refused_by_node_ = false;
  std::uint64_t unexpected_ = 0;
};

}  // namespace jointrig::canopen
