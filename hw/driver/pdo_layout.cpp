#include "hw/driver/pdo_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hw/canopen/pdo_record.h"

namespace jointrig::hw {
namespace {

bool is_carried(const PdoLayouts& layouts, bool sent, std::uint32_t object) {
  return std::any_of(layouts.begin(), layouts.end(), [&](const PdoLayout& pdo) {
    return pdo.sent == sent && pdo.is_cyclic() &&
           std::find(pdo.objects.begin(), pdo.objects.end(), object) != pdo.objects.end();
  });
}

std::string name_of(const PdoLayout& pdo) {
  return fmt::format("{}{}", pdo.sent ? "TPDO" : "RPDO", pdo.number + 1);
}

}  // namespace

std::size_t PdoLayout::bytes() const noexcept {
  std::size_t sum = 0;
  for (const std::uint32_t object : objects) sum += bytes_of(object);
  return sum;
}

std::uint32_t PdoLayout::id_of(std::uint8_t node) const noexcept {
  if (id != 0) return id;
  return (sent ? canopen::tpdo_base(number) : canopen::rpdo_base(number)) + node;
}

PdoLayouts board_layouts(bool has_life_counter, bool feed_forward, bool inputs) {
  const std::uint32_t life_out = has_life_counter ? mapped::kLife : mapped::kNothing8;
  const std::uint32_t life_in = has_life_counter ? mapped::kLifeEcho : mapped::kModeShown;
  const std::uint32_t duty = has_life_counter ? mapped::kDuty : mapped::kNothing16;
  PdoLayouts pdos{
      {false, 0, 0, 1, {mapped::kControlword, mapped::kMode, life_out, mapped::kTargetPosition}},
      {false,
       1,
       0,
       1,
       {mapped::kControlword, mapped::kMode, life_out, mapped::kTargetTorque, duty}},
      {false, 2, 0, 1, {mapped::kControlword, mapped::kMode, life_out, mapped::kTargetVelocity}},
      {true, 0, 0, 1, {mapped::kStatusword, mapped::kModeShown, life_in, mapped::kPosition}},
      {true, 1, 0, 1, {mapped::kVelocity, mapped::kTorque, mapped::kErrorCode}},
  };
  if (feed_forward)
    pdos.push_back({false, 3, 0, 1, {mapped::kVelocityOffset, mapped::kTorqueOffset}});
  if (has_life_counter) {
    pdos.push_back({true,
                    2,
                    0,
                    canopen::kEventOfProfile,
                    {mapped::kMotorTemperature, mapped::kHomingProgress, mapped::kSupply}});
    pdos.push_back(
        {true, 3, 0, canopen::kEventOfProfile, {mapped::kFindingValue, mapped::kFindingLimit}});
  }
  const std::uint16_t first_free = has_life_counter ? 4 : 2;
  if (inputs) pdos.push_back({true, first_free, 0, 1, {mapped::kInputs}});
  return pdos;
}

PdoLayouts compact_layouts(bool has_life_counter, bool inputs) {
  PdoLayouts pdos = board_layouts(has_life_counter, /*feed_forward=*/false, inputs);
  for (PdoLayout& pdo : pdos) {
    if (!pdo.sent) continue;
    if (pdo.number == 0) {
      pdo.objects = {mapped::kStatusword, mapped::kPosition, mapped::kTorque};
    } else if (pdo.number == 1) {
      pdo.type = canopen::kEventOfProfile;
      pdo.is_set_up = true;
      pdo.objects = {mapped::kModeShown, mapped::kErrorCode};
    }
  }
  return pdos;
}

PdoLayouts without_objects(PdoLayouts layouts, std::span<const std::uint16_t> indices) {
  constexpr std::uint16_t kDummies = 0x0005;
  const auto is_left_out = [&](std::uint16_t index) {
    return std::find(indices.begin(), indices.end(), index) != indices.end();
  };
  const auto index_of = [](std::uint32_t object) {
    return static_cast<std::uint16_t>(object >> 16);
  };
  std::erase_if(layouts, [&](const PdoLayout& pdo) {
    return std::any_of(pdo.objects.begin(), pdo.objects.end(), [&](std::uint32_t object) {
      const bool is_target = object == mapped::kTargetPosition ||
                             object == mapped::kTargetVelocity || object == mapped::kTargetTorque;
      return is_target && is_left_out(index_of(object));
    });
  });
  for (PdoLayout& pdo : layouts) {
    PdoLayout kept = pdo;
    kept.objects.clear();
    for (const std::uint32_t object : pdo.objects) {
      const bool is_dummy = object == mapped::kNothing8 || object == mapped::kNothing16;
      const bool is_twice =
          std::find(kept.objects.begin(), kept.objects.end(), object) != kept.objects.end();
      const bool is_filler = is_left_out(kDummies) && (is_dummy || is_twice);
      if (!is_filler && !is_left_out(index_of(object))) kept.objects.push_back(object);
    }
    pdo = std::move(kept);
  }
  std::erase_if(layouts, [](const PdoLayout& pdo) { return pdo.objects.empty(); });
  return layouts;
}

bool tells(const PdoLayouts& layouts, std::uint32_t object) {
  if (layouts.empty()) return true;
  return std::any_of(layouts.begin(), layouts.end(), [&](const PdoLayout& pdo) {
    return pdo.sent &&
           std::find(pdo.objects.begin(), pdo.objects.end(), object) != pdo.objects.end();
  });
}

std::vector<std::string> gaps_of(const PdoLayouts& layouts, bool inputs) {
  std::vector<std::string> gaps;
  const auto need = [&](bool sent, std::uint32_t object, const char* what) {
    if (is_carried(layouts, sent, object)) return;
    gaps.push_back(std::string("no PDO that goes with SYNC ") + (sent ? "tells " : "takes ") +
                   what);
  };
  need(true, mapped::kStatusword, "the statusword (6041h)");
  need(true, mapped::kPosition, "the position (6064h)");
  need(false, mapped::kControlword, "the controlword (6040h)");
  if (inputs) need(true, mapped::kInputs, "the digital inputs (60FDh)");
  const bool has_target = is_carried(layouts, false, mapped::kTargetPosition) ||
                          is_carried(layouts, false, mapped::kTargetVelocity) ||
                          is_carried(layouts, false, mapped::kTargetTorque);
  if (!has_target) gaps.emplace_back("no PDO that goes with SYNC takes a target");
  for (const PdoLayout& pdo : layouts) {
    if (pdo.bytes() > canopen::kPdoBytes) {
      gaps.push_back(fmt::format("{} maps {} bytes, a frame has 8", name_of(pdo), pdo.bytes()));
    }
  }
  return gaps;
}

}  // namespace jointrig::hw
