#include "gui/panel/body_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {
namespace {

using Kind = BodyColumn::Kind;

constexpr double kSwings = 1.0;     ///< of a step [s]: a choice
constexpr double kTransfers = 0.5;  ///< likewise

const std::vector<BodyColumn> kPlace{
    {"x", Kind::kLength}, {"y", Kind::kLength}, {"z", Kind::kLength}};
const std::vector<BodyColumn> kTurn{
    {"roll", Kind::kAngle}, {"pitch", Kind::kAngle}, {"yaw", Kind::kAngle}};

std::vector<BodyColumn> joined(std::vector<BodyColumn> columns,
                               const std::vector<BodyColumn>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

std::vector<BodyColumn> columns_of(CommandKind kind, const std::vector<BodyColumn>& arm) {
  const std::vector<BodyColumn> time{{"time", Kind::kTime}};
  switch (kind) {
    case CommandKind::kHandTrajectory:
    case CommandKind::kFootTrajectory:
    case CommandKind::kPelvisTrajectory:
      return joined(joined(time, kPlace), kTurn);
    case CommandKind::kArmJointTrajectory:
      return joined(time, arm);
    case CommandKind::kChestTrajectory:
    case CommandKind::kHeadTrajectory:
    case CommandKind::kPelvisOrientation:
      return joined(time, kTurn);
    case CommandKind::kPelvisHeight:
      return joined(time, {{"height", Kind::kLength}});
    case CommandKind::kFootstep:
    case CommandKind::kFootstepList:
      return joined(joined({{"foot", Kind::kCount}}, kPlace), kTurn);
    default:
      return {};
  }
}

/// A chest, head or pelvis has no turn from the orientation of the start.
BodyForm::Row present(CommandKind kind, const BodyPlaces::Hand& hand, const BodyPlaces& places) {
  BodyForm::Row row{BodyForm::kTakes};
  switch (kind) {
    case CommandKind::kHandTrajectory:
    case CommandKind::kFootTrajectory: {
      const ToolNumbers numbers = as_numbers(hand.pose);
      row.insert(row.end(), numbers.begin(), numbers.end());
      return row;
    }
    case CommandKind::kArmJointTrajectory:
      row.insert(row.end(), hand.q.begin(), hand.q.end());
      return row;
    case CommandKind::kPelvisHeight:
      row.push_back(places.pelvis_height);
      return row;
    case CommandKind::kPelvisTrajectory:
      row.insert(row.end(), {places.pelvis_place[0], places.pelvis_place[1], places.pelvis_height,
                             0.0, 0.0, 0.0});
      return row;
    case CommandKind::kFootstep:
    case CommandKind::kFootstepList:
      row.resize(7, 0.0);
      row.front() = 0.0;
      return row;
    default:
      row.resize(4, 0.0);
      return row;
  }
}

bool turns(const std::vector<BodyColumn>& columns) {
  return !columns.empty() && columns.back().name == kTurn.back().name;
}

Typed read_plain(std::string_view text, std::string_view unit, const char* wanted) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (error != std::errc{} || !std::isfinite(value) || (!rest.empty() && rest != unit)) {
    return {0.0, fmt::format("\"{}\" is not {}", text, wanted)};
  }
  return {value, {}};
}

}  // namespace

double BodyForm::field(std::string_view name) const {
  const auto at = fields_.find(name);
  return at == fields_.end() ? 0.0 : at->second;
}

void BodyForm::fill(CommandKind kind, std::uint8_t hand, const BodyPlaces& places) {
  kind_ = kind;
  fields_.clear();
  for (const FieldInfo& info : fields_of(kind)) {
    if (info.is_list) continue;
    for (std::size_t i = 0; i < info.most; ++i) fields_[form_key(info, i)] = 0.0;
  }
  if (fields_.count("hand") != 0) set("hand", hand);
  if (fields_.count("foot") != 0) set("foot", hand);
  if (fields_.count("bears") != 0) set("bears", 1.0);
  if (fields_.count("normal z") != 0) set("normal z", 1.0);
  if (fields_.count("duration") != 0) set("duration", kTakes);
  if (fields_.count("pause") != 0) set("pause", 1.0);
  if (fields_.count("swing_duration") != 0) set("swing_duration", kSwings);
  if (fields_.count("transfer_duration") != 0) set("transfer_duration", kTransfers);
  BodyPlaces::Hand there = hand < places.hands.size() ? places.hands[hand] : BodyPlaces::Hand{};
  if (kind == CommandKind::kFootTrajectory && hand < places.feet.size()) {
    there.pose = places.feet[hand];
  }
  columns_ = columns_of(kind, there.arm);
  rows_.clear();
  if (has_rows()) rows_.push_back(present(kind, there, places));
}

void BodyForm::add_row() {
  if (rows_.empty() || is_full()) return;
  Row row = rows_.back();
  if (columns_.front().kind == Kind::kTime) row.front() += kTakes;
  rows_.push_back(std::move(row));
}

void BodyForm::remove_row(std::size_t row) {
  if (rows_.size() > 1) rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(row));
}

std::string BodyForm::shown(std::size_t row, std::size_t column) const {
  const double value = rows_[row][column];
  const Kind kind = columns_[column].kind;
  if (kind == Kind::kTime || kind == Kind::kCount) return fmt::format("{:g}", value);
  return show_number(value, JointQuantity::kPosition, kind == Kind::kLength);
}

std::string BodyForm::unit_of(std::size_t column) const {
  const Kind kind = columns_[column].kind;
  if (kind == Kind::kTime) return "s";
  if (kind == Kind::kCount) return {};
  return std::string(shown_unit(JointQuantity::kPosition, kind == Kind::kLength).text);
}

std::string BodyForm::type(std::string_view field, const std::string& text) {
  const Typed typed = field.ends_with("duration") || field == "integration"
                          ? read_plain(text, "s", "a time in s")
                      : field == "swing_height" || field.starts_with("point")
                          ? read_plain(text, "m", "a length in m")
                      : field == "force"    ? read_plain(text, "N", "a force in N")
                      : field == "previous" ? read_plain(text, "", "the id of a message")
                                            : read_plain(text, "", "a number");
  if (typed.error.empty()) set(field, typed.value);
  return typed.error;
}

std::string BodyForm::type(std::size_t row, std::size_t column, const std::string& text) {
  Typed typed;
  switch (columns_[column].kind) {
    case Kind::kTime:
      typed = read_plain(text, "s", "a time in s");
      break;
    case Kind::kCount:
      typed = read_plain(text, "", "the number of a foot");
      break;
    case Kind::kLength:
    case Kind::kAngle:
      typed = read_typed(text, JointQuantity::kPosition, columns_[column].kind == Kind::kLength);
      break;
  }
  if (typed.error.empty()) rows_[row][column] = typed.value;
  return typed.error;
}

void BodyForm::append_rows(std::vector<double>& numbers) const {
  for (const Row& row : rows_) {
    if (!turns(columns_)) {
      numbers.insert(numbers.end(), row.begin(), row.end());
      continue;
    }
    const std::size_t angles = row.size() - 3;
    numbers.insert(numbers.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(angles));
    const ToolPose turn = as_pose({0, 0, 0, row[angles], row[angles + 1], row[angles + 2]});
    numbers.insert(numbers.end(), turn.orientation.begin(), turn.orientation.end());
  }
}

Request BodyForm::request(MessageId id) const {
  std::vector<double> numbers;
  for (const FieldInfo& info : fields_of(kind_)) {
    if (info.is_list) {
      append_rows(numbers);
    } else if (info.range == Range::kMessageId) {
      numbers.push_back(static_cast<double>(id));
    } else {
      for (std::size_t i = 0; i < info.most; ++i) numbers.push_back(field(form_key(info, i)));
    }
  }
  Request request = blank_request(kind_);
  fill_fields(request, numbers);
  return request;
}

std::string form_key(const FieldInfo& info, std::size_t i) {
  constexpr std::array kAxes{" x", " y", " z"};
  constexpr std::array kSixAxes{" x", " y", " z", " about x", " about y", " about z"};
  if (info.most == 1) return std::string(info.name);
  if (info.most == kSixAxes.size()) return std::string(info.name) + kSixAxes[i];
  return std::string(info.name) + kAxes[std::min(i, kAxes.size() - 1)];
}

std::vector<CommandKind> message_kinds() {
  std::vector<CommandKind> kinds;
  for (const CommandKind kind : kAllCommandKind) {
    with_command_type(kind, [&]<typename C>(std::type_identity<C>) {
      constexpr bool kByScripts = is_streamed<C>() || std::is_same_v<C, WholeBodyTrajectory> ||
                                  std::is_same_v<C, NeckTrajectory>;
      if constexpr (IsMessage<C> && !kByScripts) kinds.push_back(kind);
    });
  }
  return kinds;
}

}  // namespace jointrig::gui
