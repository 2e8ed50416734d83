#include "hw/dynamixel/line_time.h"

namespace jointrig::dynamixel {
namespace {

constexpr std::size_t kSyncFrame = 14;  // header to CRC, with address and length
constexpr std::size_t kStatusFrame = 11;
constexpr double kBitsPerByte = 10;

}  // namespace

std::size_t write_bytes(std::size_t servos, std::size_t goal_size) noexcept {
  const std::size_t per_packet = (kMostPiece - kSyncFrame) / (1 + goal_size);
  const std::size_t packets = (servos + per_packet - 1) / per_packet;
  return packets * kSyncFrame + servos * (1 + goal_size);
}

std::size_t question_bytes(std::size_t servos) noexcept { return kSyncFrame + servos; }

std::size_t answer_bytes(const LineLoad& load) noexcept {
  constexpr std::size_t kFastHead = 8;
  constexpr std::size_t kFastPart = 4;  // error, id, CRC
  return load.fast ? kFastHead + load.servos * (kFastPart + load.report_size)
                   : load.servos * (kStatusFrame + load.report_size);
}

double cycle_time(const LineLoad& load, double rate) noexcept {
  const std::size_t bytes =
      write_bytes(load.servos, load.goal_size) + question_bytes(load.servos) + answer_bytes(load);
  const double delays = load.fast ? 1.0 : static_cast<double>(load.servos);
  return kBitsPerByte * static_cast<double>(bytes) / rate + delays * load.return_delay;
}

}  // namespace jointrig::dynamixel
