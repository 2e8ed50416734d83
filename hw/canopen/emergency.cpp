#include "hw/canopen/emergency.h"

#include <algorithm>

#include "hw/canopen/nmt.h"

namespace jointrig::canopen {

namespace {

struct CodeInWords {
  std::uint16_t code;
  std::string_view words;
};

// CiA 301, table 26 and CiA 402-2, 603Fh.
constexpr CodeInWords kCodes[] = {
    {0x0000, "no error"},
    {0x2310, "over-current"},
    {0x2320, "short circuit"},
    {0x3210, "over-voltage of the DC link"},
    {0x3220, "under-voltage of the DC link"},
    {0x4210, "device too hot"},
    {0x4310, "drive too hot"},
    {0x6320, "bad parameter"},
    {0x7121, "motor blocked"},
    {0x7305, "encoder fault"},
    {0x7320, "position sensor fault"},
    {0x8110, "CAN overrun, frames lost"},
    {0x8120, "CAN controller error passive"},
    {0x8130, "heartbeat of the master lost"},
    {0x8140, "recovered from bus-off"},
    {0x8150, "identifier collision"},
    {0x8210, "PDO too short, not processed"},
    {0x8220, "PDO too long"},
    {0x8240, "SYNC of unexpected length"},
    {0x8250, "PDO not received in time"},
    {0x8611, "following error"},
    {0x8612, "reference limit reached"},
};

constexpr CodeInWords kClasses[] = {
    {0x10, "generic error"},
    {0x20, "current"},
    {0x21, "current, input side"},
    {0x22, "current, inside"},
    {0x23, "current, output"},
    {0x30, "voltage"},
    {0x31, "mains voltage"},
    {0x32, "voltage, inside"},
    {0x33, "output voltage"},
    {0x40, "temperature"},
    {0x41, "ambient temperature"},
    {0x42, "device temperature"},
    {0x43, "drive temperature"},
    {0x50, "device hardware"},
    {0x60, "device software"},
    {0x61, "internal software"},
    {0x62, "user software"},
    {0x63, "data set"},
    {0x70, "additional modules"},
    {0x71, "power module"},
    {0x73, "sensor"},
    {0x80, "monitoring"},
    {0x81, "communication"},
    {0x82, "protocol"},
    {0x86, "position control"},
    {0x90, "external error"},
    {0xF0, "additional functions"},
    {0xFF, "manufacturer's error"},
};

Entry* optional_entry(ObjectDictionary& objects, std::uint16_t index, std::uint8_t sub,
                      std::size_t size) {
  Entry* const entry = objects.find(index, sub);
  return entry != nullptr && entry->storage.size() == size ? entry : nullptr;
}

}  // namespace

std::string_view emergency_in_words(std::uint16_t code) noexcept {
  const auto* const exact = std::ranges::find(kCodes, code, &CodeInWords::code);
  if (exact != std::end(kCodes)) return exact->words;
  const auto* const family = std::ranges::find(kClasses, code >> 8, &CodeInWords::code);
  if (family != std::end(kClasses)) return family->words;
  const auto* const wider = std::ranges::find(kClasses, code >> 8 & 0xF0, &CodeInWords::code);
  if (wider != std::end(kClasses)) return wider->words;
  return "an unlisted error";
}

std::uint8_t error_register_of(std::uint16_t code) noexcept {
  constexpr std::uint8_t kGeneric = 0x01;
  if (code == 0) return 0;
  switch (code >> 12) {
    case 0x2:
      return kGeneric | 0x02;
    case 0x3:
      return kGeneric | 0x04;
    case 0x4:
      return kGeneric | 0x08;
    case 0x8:
      return kGeneric | (code >= 0x8300 ? 0x20 : 0x10);
    case 0xF:
      return kGeneric | 0x80;
    default:
      return kGeneric;
  }
}

std::optional<Emergency> emergency_of(const can::Frame& frame) noexcept {
  const bool is_one = !frame.extended && !frame.remote && frame.size == 8 &&
                      frame.id > kEmergencyBase && frame.id <= kEmergencyBase + kMaxNode;
  if (!is_one) return std::nullopt;
  Emergency emergency;
  emergency.code = static_cast<std::uint16_t>(load_little_endian(frame.bytes(), 2));
  emergency.error_register = frame.data[2];
  std::ranges::copy(frame.bytes().subspan(3), emergency.vendor.begin());
  return emergency;
}

can::Frame emergency_frame(std::uint32_t id, const Emergency& emergency) noexcept {
  std::array<std::uint8_t, 8> bytes{};
  store_little_endian(bytes, emergency.code, 2);
  bytes[2] = emergency.error_register;
  std::ranges::copy(emergency.vendor, bytes.begin() + 3);
  return can::data_frame(id, bytes);
}

EmergencyProducer::EmergencyProducer(ObjectDictionary& objects) : objects_(objects) {
  register_ = optional_entry(objects, 0x1001, 0, 1);
  id_ = optional_entry(objects, 0x1014, 0, 4);
  inhibit_ = optional_entry(objects, 0x1015, 0, 2);
  history_[0] = optional_entry(objects, 0x1003, 0, 1);
  for (std::size_t i = 1; i < history_.size(); ++i) {
    history_[i] = optional_entry(objects, 0x1003, static_cast<std::uint8_t>(i), 4);
  }
  if (history_[0] != nullptr) {
    objects.own<&EmergencyProducer::check_history, &EmergencyProducer::history_cleared>(
        *history_[0], *this);
  }
}

bool EmergencyProducer::raise(std::uint16_t code, std::uint8_t detail) noexcept {
  if (is_active(code, detail)) return false;
  add({code, detail, false});
  remember(code, detail);
  tell(code, detail);
  return true;
}

void EmergencyProducer::latch(std::uint16_t code) noexcept {
  const auto is_it = [code](const Active& each) { return each.code == code; };
  const bool told = std::ranges::any_of(active(), is_it);
  const Active error{code, 0, true};
  if (std::ranges::find(active(), error) != active().end()) return;
  add(error);
  if (told) return;
  remember(code, 0);
  tell(code, 0);
}

void EmergencyProducer::clear(std::uint16_t code, std::uint8_t detail) noexcept {
  remove_if([error = Active{code, detail, false}](const Active& each) { return each == error; });
}

void EmergencyProducer::release_latched() noexcept {
  remove_if([](const Active& each) { return each.latched; });
}

bool EmergencyProducer::is_active(std::uint16_t code, std::uint8_t detail) const noexcept {
  const auto errors = active();
  return std::ranges::find(errors, Active{code, detail, false}) != errors.end();
}

void EmergencyProducer::add(const Active& error) noexcept {
  if (active_count_ < kMaxActive) {
    active_[active_count_++] = error;
  } else {
    ++untracked_;
  }
  update_register();
}

template <class Predicate>
void EmergencyProducer::remove_if(Predicate is_gone) noexcept {
  // Not std::ranges: clang 14 can't read GCC 12's subrange.
  const auto errors = active();
  const auto kept = std::remove_if(errors.begin(), errors.end(), is_gone);
  if (kept == errors.end()) return;
  active_count_ = static_cast<std::size_t>(kept - errors.begin());
  update_register();
  if (active_count_ == 0) tell(emergency_code::kNone, 0);
}

void EmergencyProducer::poll(bool allowed, std::int64_t now, FrameQueue& out) noexcept {
  if (!allowed || now < not_before_) return;
  const std::uint64_t id = id_ != nullptr ? id_->bits() : kEmergencyBase + objects_.node();
  const std::int64_t inhibit =
      inhibit_ != nullptr ? static_cast<std::int64_t>(inhibit_->bits()) * 100'000 : 0;
  while (const auto next = waiting_.pop()) {
    constexpr std::uint64_t kInvalid = 0x8000'0000;
    if ((id & kInvalid) != 0) continue;
    out.push(emergency_frame(static_cast<std::uint32_t>(id), *next));
    if (inhibit == 0) continue;
    not_before_ = now + inhibit;
    return;
  }
}

void EmergencyProducer::reset() noexcept {
  active_count_ = 0;
  waiting_.clear();
  not_before_ = 0;
  forget();
  update_register();
}

AbortCode EmergencyProducer::check_history(const Entry& /*entry*/,
                                           std::uint64_t bits) const noexcept {
  return bits == 0 ? AbortCode::kNone : AbortCode::kValue;
}

void EmergencyProducer::forget() noexcept {
  if (history_[0] != nullptr) Object<std::uint8_t>(*history_[0]).set(0);
  for (std::size_t i = 1; i < history_.size(); ++i) {
    if (history_[i] != nullptr) Object<std::uint32_t>(*history_[i]).set(0);
  }
}

void EmergencyProducer::tell(std::uint16_t code, std::uint8_t detail) noexcept {
  Emergency emergency;
  emergency.code = code;
  for (std::size_t i = 0; i < active_count_; ++i) {
    emergency.error_register |= error_register_of(active_[i].code);
  }
  emergency.error_register |= error_register_of(code);
  emergency.vendor[0] = detail;
  waiting_.push(emergency);
}

void EmergencyProducer::remember(std::uint16_t code, std::uint8_t detail) noexcept {
  if (history_[0] == nullptr) return;
  std::uint32_t moved = std::uint32_t{detail} << 16 | code;
  std::uint8_t count = 0;
  for (std::size_t i = 1; i < history_.size() && history_[i] != nullptr; ++i) {
    const Object<std::uint32_t> place(*history_[i]);
    const std::uint32_t before = place.get();
    place.set(moved);
    moved = before;
    if (place.get() != 0) count = static_cast<std::uint8_t>(i);
  }
  Object<std::uint8_t>(*history_[0]).set(count);
}

void EmergencyProducer::update_register() noexcept {
  if (register_ == nullptr) return;
  std::uint8_t bits = 0;
  for (std::size_t i = 0; i < active_count_; ++i) bits |= error_register_of(active_[i].code);
  Object<std::uint8_t>(*register_).set(bits);
}

bool EmergencyLog::receive(const can::Frame& frame, std::int64_t now) noexcept {
  const auto emergency = emergency_of(frame);
  if (!emergency) return false;
  kept_[total_ % kKept] = {now, *emergency};
  ++total_;
  const std::int64_t second = now / kSecond;
  if (second != second_) {
    in_second_before_ = second == second_ + 1 ? in_second_ : 0;
    in_second_ = 0;
    second_ = second;
  }
  ++in_second_;
  return true;
}

std::uint32_t EmergencyLog::per_second(std::int64_t now) const noexcept {
  const std::int64_t second = now / kSecond;
  if (second == second_) return std::max(in_second_, in_second_before_);
  return second == second_ + 1 ? in_second_ : 0;
}

}  // namespace jointrig::canopen
