#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/arm.h"
#include "control/core/command.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {

/// A number of a waypoint as people type it.
struct BodyColumn {
  enum class Kind : std::uint8_t {
    kTime,
    kLength,
    kAngle,
    kCount,
    kSpeed,
    kTurnSpeed,
    kAcceleration,
    kTurnAcceleration
  };
  std::string name;
  Kind kind = Kind::kAngle;
  bool operator==(const BodyColumn&) const = default;
};

/// Where the parts of a robot on feet are now, by which a message begins. In the stance frame
/// (control/core/body_commands.h), which soles that stand still show.
struct BodyPlaces {
  struct Hand {
    ToolPose pose;
    std::vector<BodyColumn> arm;  ///< joints of an arm_trajectory, in the order of its rows
    std::vector<double> q;        ///< their positions [rad or m]
  };
  std::vector<Hand> hands;               ///< as whole_body names them
  Hand neck;                             ///< its joints alone, from the chest to the head
  std::vector<ToolPose> feet;            ///< likewise
  double pelvis_height = 0.0;            ///< [m]
  std::array<double, 2> pelvis_place{};  ///< from above [m]
};

/// A message to a robot on feet while it is put together: its fields are those of the command
/// (fields_of), its waypoints rows as people type them, with roll, pitch and yaw in place of
/// quaternions. SI units.
///
/// A stream has one waypoint with velocities; accelerations have one row without a time. A
/// whole_body_trajectory has the waypoints of the parts that were collected.
class BodyForm {
 public:
  using Row = std::vector<double>;
  static constexpr double kTakes = 2.0;   ///< duration of a way unless one is typed [s]: a choice
  static constexpr double kGoesOn = 0.1;  ///< integration of a stream, likewise [s]

  BodyForm() { fill(CommandKind::kHandTrajectory, 0, {}); }

  [[nodiscard]] CommandKind kind() const noexcept { return kind_; }
  /// Number of the hand or foot.
  [[nodiscard]] std::uint8_t hand() const {
    return static_cast<std::uint8_t>(field(fields_.count("foot") != 0 ? "foot" : "hand"));
  }
  /// A number, flag or word of the message; 0 if it has no such field.
  [[nodiscard]] double field(std::string_view name) const;
  /// Rows get or lose their velocities with the flag of that name, and by a stream.
  void set(std::string_view name, double value);

  /// Begins a message: fields at their defaults, one waypoint where its part is now.
  void fill(CommandKind kind, std::uint8_t hand, const BodyPlaces& places);

  [[nodiscard]] bool has_rows() const { return !columns_.empty(); }
  [[nodiscard]] const std::vector<BodyColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
  [[nodiscard]] bool is_full() const noexcept {
    return rows_.size() == (has_one_row() ? 1 : kMaxWaypoints);
  }
  /// One that has to keep coming: a stream, accelerations.
  [[nodiscard]] bool is_streamed() const;
  /// Another waypoint, at the place of the last one and a way later. Nothing if it is full.
  void add_row();
  void remove_row(std::size_t row);
  /// The number alone; unit_of() has its unit.
  [[nodiscard]] std::string shown(std::size_t row, std::size_t column) const;
  [[nodiscard]] std::string unit_of(std::size_t column) const;
  /// Returns the error in what was typed; empty: it is taken.
  std::string type(std::size_t row, std::size_t column, const std::string& text);
  /// The same for a number that is no waypoint's: duration [s], previous.
  std::string type(std::string_view field, const std::string& text);

  /// @param id    1 or more
  /// @param gone  time for which the point of a stream has gone on [s]
  [[nodiscard]] Request request(MessageId id, double gone = 0.0) const;

  /// Rows of one part for a whole_body_trajectory.
  struct Collected {
    std::string name;  ///< of the kind of its message, and of the limb
    std::size_t part = 0;
    std::vector<double> numbers;
    bool velocities = false;
  };
  [[nodiscard]] const std::vector<Collected>& collected() const noexcept { return collected_; }
  /// Why the message's rows can't be collected; empty: they can.
  [[nodiscard]] std::string why_not_collect() const;
  /// Collects weights, axes and waypoints as they are now, in place of those of the same part.
  void collect();
  void leave_out(std::size_t number) {
    collected_.erase(collected_.begin() + static_cast<std::ptrdiff_t>(number));
  }

 private:
  [[nodiscard]] bool has_one_row() const;
  [[nodiscard]] std::optional<std::size_t> part() const;
  [[nodiscard]] Collected as_part() const;
  void show_velocities(bool on);
  void append_rows(std::vector<double>& numbers, double gone) const;
  void append_row(const Row& row, double gone, std::vector<double>& numbers) const;

  CommandKind kind_ = CommandKind::kHandTrajectory;
  std::map<std::string, double, std::less<>> fields_;
  std::vector<BodyColumn> columns_;
  std::size_t places_ = 0;  ///< columns before those of velocities
  std::vector<Row> rows_;
  std::vector<Collected> collected_;
};

/// Name by which a form keeps a number of a field: `duration`, `normal x`.
std::string form_key(const FieldInfo& info, std::size_t i);

/// Kinds of commands that are messages, in their order.
std::vector<CommandKind> message_kinds();

}  // namespace jointrig::gui
