#include "gui/panel/body_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/quaternion.h"
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
const std::vector<BodyColumn> kTurnSpeeds{{"speed about x", Kind::kTurnSpeed},
                                          {"speed about y", Kind::kTurnSpeed},
                                          {"speed about z", Kind::kTurnSpeed}};

bool is_turn(const BodyColumn& column) {
  return std::any_of(kTurn.begin(), kTurn.end(),
                     [&](const BodyColumn& one) { return one.name == column.name; });
}

std::vector<BodyColumn> joined(std::vector<BodyColumn> columns,
                               const std::vector<BodyColumn>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

std::vector<BodyColumn> accelerations_of(std::vector<BodyColumn> arm) {
  for (BodyColumn& joint : arm) {
    joint.kind = joint.kind == Kind::kLength ? Kind::kAcceleration : Kind::kTurnAcceleration;
  }
  return arm;
}

/// Velocities that go with the places of a row; none: its message has none.
std::vector<BodyColumn> speeds_of(const std::vector<BodyColumn>& places) {
  std::vector<BodyColumn> speeds;
  if (places.empty() || places.front().kind != Kind::kTime) return speeds;
  for (const BodyColumn& place : places) {
    if (place.kind == Kind::kLength) speeds.push_back({"speed " + place.name, Kind::kSpeed});
    if (place.kind == Kind::kAngle && !is_turn(place)) {
      speeds.push_back({"speed " + place.name, Kind::kTurnSpeed});
    }
  }
  return is_turn(places.back()) ? joined(speeds, kTurnSpeeds) : speeds;
}

std::vector<BodyColumn> columns_of(CommandKind kind, const std::vector<BodyColumn>& arm) {
  const std::vector<BodyColumn> time{{"time", Kind::kTime}};
  switch (kind) {
    case CommandKind::kHandTrajectory:
    case CommandKind::kFootTrajectory:
    case CommandKind::kPelvisTrajectory:
      return joined(joined(time, kPlace), kTurn);
    case CommandKind::kArmJointTrajectory:
    case CommandKind::kNeckTrajectory:
      return joined(time, arm);
    case CommandKind::kArmDesiredAccelerations:
    case CommandKind::kNeckDesiredAccelerations:
      return accelerations_of(arm);
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
    case CommandKind::kNeckTrajectory:
      row.insert(row.end(), hand.q.begin(), hand.q.end());
      return row;
    case CommandKind::kArmDesiredAccelerations:
    case CommandKind::kNeckDesiredAccelerations:
      return BodyForm::Row(hand.arm.size(), 0.0);
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

/// The quantity of a column that is neither a time nor a count, and whether it translates.
std::pair<JointQuantity, bool> quantity_of(Kind kind) {
  switch (kind) {
    case Kind::kSpeed:
      return {JointQuantity::kVelocity, true};
    case Kind::kTurnSpeed:
      return {JointQuantity::kVelocity, false};
    case Kind::kAcceleration:
      return {JointQuantity::kAcceleration, true};
    case Kind::kTurnAcceleration:
      return {JointQuantity::kAcceleration, false};
    default:
      return {JointQuantity::kPosition, kind == Kind::kLength};
  }
}

std::optional<BodyTopic> topic_of(CommandKind kind) {
  std::optional<BodyTopic> topic;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) {
    const auto read = [&]<BodyTopic kTopic>(std::type_identity<BodyTrajectory<kTopic>>) {
      topic = kTopic;
    };
    if constexpr (requires { read(std::type_identity<C>{}); }) read(std::type_identity<C>{});
  });
  return topic;
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
  if (fields_.count("integration") != 0) set("integration", kGoesOn);
  BodyPlaces::Hand there = hand < places.hands.size() ? places.hands[hand] : BodyPlaces::Hand{};
  if (kind == CommandKind::kFootTrajectory && hand < places.feet.size()) {
    there.pose = places.feet[hand];
  }
  const bool is_of_neck =
      kind == CommandKind::kNeckTrajectory || kind == CommandKind::kNeckDesiredAccelerations;
  if (is_of_neck) there = places.neck;
  columns_ = columns_of(kind, there.arm);
  places_ = columns_.size();
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
  const auto [quantity, slides] = quantity_of(kind);
  return show_number(value, quantity, slides);
}

std::string BodyForm::unit_of(std::size_t column) const {
  const Kind kind = columns_[column].kind;
  if (kind == Kind::kTime) return "s";
  if (kind == Kind::kCount) return {};
  const auto [quantity, slides] = quantity_of(kind);
  return std::string(shown_unit(quantity, slides).text);
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
    default: {
      const auto [quantity, slides] = quantity_of(columns_[column].kind);
      typed = read_typed(text, quantity, slides);
    }
  }
  if (typed.error.empty()) rows_[row][column] = typed.value;
  return typed.error;
}

void BodyForm::append_rows(std::vector<double>& numbers, double gone) const {
  for (const Row& row : rows_) append_row(row, gone, numbers);
}

/// Its places go on by its velocities.
void BodyForm::append_row(const Row& row, double gone, std::vector<double>& numbers) const {
  const std::vector<double> speeds(row.begin() + static_cast<std::ptrdiff_t>(places_), row.end());
  const std::size_t first = numbers.size();
  std::size_t speed = 0;
  for (std::size_t i = 0; i < places_; ++i) {
    if (is_turn(columns_[i])) break;
    const bool goes_on = columns_[i].kind != Kind::kTime && !speeds.empty();
    numbers.push_back(row[i] + (goes_on ? gone * speeds[speed++] : 0.0));
  }
  if (is_streamed() && columns_.front().kind == Kind::kTime) {
    numbers[first] = 0.0;  // counts from the message
  }
  if (places_ > 0 && is_turn(columns_[places_ - 1])) {
    const auto angles = row.begin() + static_cast<std::ptrdiff_t>(places_ - 3);
    const ToolPose turn = as_pose({0, 0, 0, angles[0], angles[1], angles[2]});
    Quaternion q = turn.orientation;
    if (speed + 3 <= speeds.size()) {
      q = product(of_turn(gone * speeds[speed], gone * speeds[speed + 1], gone * speeds[speed + 2]),
                  q);
    }
    numbers.insert(numbers.end(), q.begin(), q.end());
  }
  numbers.insert(numbers.end(), speeds.begin(), speeds.end());
}

void BodyForm::set(std::string_view name, double value) {
  fields_[std::string(name)] = value;
  const bool streams = name == "execution" && is_streamed();
  if (streams) {
    if (rows_.size() > 1) rows_.resize(1);
    fields_["velocities"] = 1.0;
  }
  if (streams || name == "velocities") show_velocities(field("velocities") != 0.0);
}

void BodyForm::show_velocities(bool on) {
  columns_.resize(places_);
  if (on) columns_ = joined(columns_, speeds_of(columns_));
  for (Row& row : rows_) row.resize(columns_.size(), 0.0);
}

bool BodyForm::is_streamed() const {
  return jointrig::is_streamed(kind_) ||
         (fields_.count("execution") != 0 && has_rows() &&
          field("execution") == static_cast<double>(Execution::kStream));
}

bool BodyForm::has_one_row() const { return kind_ == CommandKind::kFootstep || is_streamed(); }

Request BodyForm::request(MessageId id, double gone) const {
  const bool is_whole = kind_ == CommandKind::kWholeBodyTrajectory;
  std::vector<double> numbers;
  for (const FieldInfo& info : fields_of(kind_)) {
    if (info.is_list && is_whole) {
      for (const Collected& part : collected_) {
        numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
      }
    } else if (info.is_list) {
      append_rows(numbers, gone);
    } else if (info.range == Range::kMessageId) {
      numbers.push_back(static_cast<double>(id));
    } else if (is_whole && info.name == "velocities") {
      numbers.push_back(!collected_.empty() && collected_.front().velocities ? 1.0 : 0.0);
    } else {
      for (std::size_t i = 0; i < info.most; ++i) numbers.push_back(field(form_key(info, i)));
    }
  }
  Request request = blank_request(kind_);
  fill_fields(request, numbers);
  return request;
}

/// Its number in a whole_body_trajectory; none: its kind has no place there.
std::optional<std::size_t> BodyForm::part() const {
  const std::optional<BodyTopic> topic = topic_of(kind_);
  if (!topic) return std::nullopt;
  return static_cast<std::size_t>(*topic) * kMaxHands + hand();
}

/// Choices of weights and axes, where there are any, then the rows.
BodyForm::Collected BodyForm::as_part() const {
  Collected part{std::string(to_string(kind_)), this->part().value_or(0), {}, false};
  if (fields_.count("hand") + fields_.count("foot") != 0) part.name += fmt::format(" {}", hand());
  part.velocities = field("velocities") != 0.0;
  const auto choose = [&](PartChoice choice, std::string_view name) {
    std::vector<double> numbers{
        static_cast<double>(kPartNumbers * static_cast<std::size_t>(choice) + part.part)};
    for (const FieldInfo& info : fields_of(kind_)) {
      if (info.name != name) continue;
      for (std::size_t i = 0; i < info.most; ++i) numbers.push_back(field(form_key(info, i)));
    }
    if (std::all_of(numbers.begin() + 1, numbers.end(), [](double n) { return n == 0.0; })) return;
    part.numbers.insert(part.numbers.end(), numbers.begin(), numbers.end());
  };
  choose(PartChoice::kWeights, fields_.count("weight") != 0 ? "weight" : "weights");
  choose(PartChoice::kLeftOut, "left_out");
  choose(PartChoice::kFrame, "frame");
  for (const Row& row : rows_) {
    part.numbers.push_back(static_cast<double>(part.part));
    append_row(row, 0.0, part.numbers);
  }
  return part;
}

std::string BodyForm::why_not_collect() const {
  if (!part()) return "a whole_body_trajectory has no such part";
  const Collected own = as_part();
  std::size_t numbers = own.numbers.size();
  for (const Collected& other : collected_) {
    if (other.part == own.part) continue;
    numbers += other.numbers.size();
    if (other.velocities != own.velocities) {
      return "its parts have velocities all of them, or none";
    }
  }
  if (numbers <= kMaxRowNumbers) return {};
  return fmt::format("a message has room for {} numbers, these are {}", kMaxRowNumbers, numbers);
}

void BodyForm::collect() {
  if (!why_not_collect().empty()) return;
  Collected own = as_part();
  const auto same = std::find_if(collected_.begin(), collected_.end(),
                                 [&](const Collected& one) { return one.part == own.part; });
  if (same != collected_.end()) {
    *same = std::move(own);
  } else {
    collected_.push_back(std::move(own));
  }
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
      if constexpr (IsMessage<C>) kinds.push_back(kind);
    });
  }
  return kinds;
}

}  // namespace jointrig::gui
