#pragma once
/// Values with units in files: `60 deg`, `20 Nm/rad`, `200 ms`.
///
///     quantity   number [unit]            a plain number is in SI and fits any dimension
///     unit       product [/ factor ...]   N/m   rad/s^2   Nm/(rad s)   kg m^2
///     product    factors joined by a space, * or ·
///     factor     symbol [exponent] or (product)      m^2  m2  m²  s^-1
///
/// Angles are a dimension of their own, so that 20 Nm is no stiffness and 3 Hz no speed.
/// Temperatures are in °C (`degC`). Each unit is a ratio of two doubles, so that decimal units are
/// converted with one rounding (200 ms is 0.2, 180 deg is pi, exactly).

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Exponents of m, kg, s, A, degC, rad.
struct Dimension {
  std::array<int, 6> exponents{};
  bool operator==(const Dimension&) const = default;
};

/// A value in SI (and rad, degC), with its dimension.
struct Quantity {
  double value = 0.0;
  bool has_unit = false;  ///< false: a plain number, of any dimension
  Dimension dimension;
};

/// Error in a quantity, without a place; quantity() adds the place.
class UnitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a number with or without unit. Throws UnitError: no number, unknown unit (with the nearest
/// known one), not finite with a unit.
Quantity parse_quantity(std::string_view text);

/// One or more dimensions that a value may have, written as units with `|` between them. Joint
/// quantities have two: `rad|m`, hinge first.
class Expected {
 public:
  /// Throws UnitError for an unknown unit. `1` is a plain number.
  explicit Expected(std::string_view units);

  [[nodiscard]] const std::vector<std::string>& units() const noexcept { return units_; }
  [[nodiscard]] bool takes(const Dimension& dimension) const noexcept;
  /// Only the alternative of that index; all if there is only one.
  [[nodiscard]] Expected only(std::size_t index) const;

 private:
  Expected() = default;
  std::vector<std::string> units_;
  std::vector<Dimension> dimensions_;
};

/// `an angle (rad, deg)`: name of the dimension and units that fit; `(m kg)` if it has no name.
std::string to_string(const Dimension& dimension);

/// The SI unit of a dimension, as written in files: "Nm/rad", "rad/s^2"; "1" for a ratio.
std::string si_unit(const Dimension& dimension);

/// The dimension of a unit: Nm/rad. Throws UnitError.
Dimension dimension_of(std::string_view unit);

/// Returns the value in SI of a number or a string with a unit. Throws FileError if it is neither,
/// or has another dimension:
///
///     expected an angle (rad, deg), got 20 Nm, a torque
///
/// and for a time beyond 1e9 s or a rate below 1e-9 Hz, which the clocks here can't count.
double quantity(const YamlNode& node, const Expected& expected);
double quantity(const YamlNode& node, std::string_view units);

/// Returns the value of any dimension; throws FileError if it is no quantity.
Quantity any_quantity(const YamlNode& node);

/// The unit of a quantity: "Nm" for "3 Nm"; "" without a unit.
std::string unit_of_quantity(std::string_view text);

/// True if a node has the form of a quantity: a number, or a string that begins with one.
bool looks_like_quantity(const YamlNode& node) noexcept;

}  // namespace jointrig::harness
