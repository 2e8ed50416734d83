// Random expressions with known values: the value is computed while the text is written, without
// the parser, the compiler or the program on its stack.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "harness/runner/expression.h"
#include "tests/harness/runner/test_robot.h"

namespace jointrig::harness {
namespace {

using testing::snapshot_at;
using testing::two_joint_robot;

// Precedence of the outermost operator of a text, by the table in expression_tree.h.
enum Level {
  kChoiceLevel,
  kImpliesLevel,
  kOrLevel,
  kAndLevel,
  kNotLevel,
  kCompareLevel,
  kSumLevel,
  kProductLevel,
  kSignLevel,
  kPowerLevel,
  kOperandLevel
};

struct Made {
  std::string text;
  Level level = kOperandLevel;
  double value = 0.0;  // of a condition 1 or 0
  bool holds = false;  // as a condition; with nan neither it nor its opposite does
  bool fails = false;
};

Made of_number(std::string text, Level level, double value) {
  return {std::move(text), level, value, value < 0.0 || value > 0.0, value == 0.0};
}
Made of_condition(std::string text, Level level, bool holds, bool fails) {
  return {std::move(text), level, holds ? 1.0 : 0.0, holds, fails};
}

class Maker {
 public:
  Maker(unsigned seed, const Snapshot& snapshot) : random_(seed), snapshot_(&snapshot) {}

  Made any(int depth) {
    if (depth == 0) return leaf();
    switch (pick(10)) {
      case 0:
        return choice(depth);
      case 1:
        return logic(depth);
      case 2:
        return negation(depth);
      case 3:
        return comparison(depth);
      case 4:
      case 5:
        return sum(depth);
      case 6:
        return product(depth);
      case 7:
        return sign(depth);
      case 8:
        return power(depth);
      default:
        return call(depth);
    }
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  // Text for a place that needs at least `least`: in parentheses if needed, and now and then if
  // not.
  Made at_least(Level least, int depth) {
    Made made = any(depth - 1);
    if (made.level < least || pick(6) == 0) {
      made.text = "(" + made.text + ")";
      made.level = kOperandLevel;
    }
    return made;
  }

  Made leaf() {
    const JointSnapshot& elbow = snapshot_->joints[0];
    constexpr double kDegree = std::numbers::pi / 180.0;
    switch (pick(10)) {
      case 0:
        return of_number("elbow.q", kOperandLevel, elbow.state.q);
      case 1:
        return of_number("elbow.q_ref", kOperandLevel, elbow.reference.q);
      case 2:
        return of_number("elbow.q_err", kOperandLevel, elbow.reference.q - elbow.state.q);
      case 3:
        return of_number("elbow.q_max", kOperandLevel, 2.0);
      case 4:
        return of_number("cycle", kOperandLevel, static_cast<double>(snapshot_->cycle));
      case 5:
        return of_number("pi", kOperandLevel, std::numbers::pi);
      case 6:
        if (pick(3) == 0) {
          return of_number("nan", kOperandLevel, std::numeric_limits<double>::quiet_NaN());
        }
        return of_number("inf", kOperandLevel, std::numeric_limits<double>::infinity());
      case 7:
        return of_number("30 deg", kOperandLevel, 30 * kDegree);
      default: {
        const unsigned number = pick(4);
        return of_number(std::to_string(number), kOperandLevel, number);
      }
    }
  }

  Made choice(int depth) {
    const Made condition = at_least(kImpliesLevel, depth);
    const Made yes = at_least(kChoiceLevel, depth);
    const Made no = at_least(kChoiceLevel, depth);
    return of_number(condition.text + " ? " + yes.text + " : " + no.text, kChoiceLevel,
                     condition.holds ? yes.value : no.value);
  }

  Made logic(int depth) {
    switch (pick(3)) {
      case 0: {
        const Made a = at_least(kOrLevel, depth);
        const Made b = at_least(kAndLevel, depth);
        return of_condition(a.text + " or " + b.text, kOrLevel, a.holds || b.holds,
                            a.fails && b.fails);
      }
      case 1: {
        const Made a = at_least(kAndLevel, depth);
        const Made b = at_least(kNotLevel, depth);
        return of_condition(a.text + " and " + b.text, kAndLevel, a.holds && b.holds,
                            a.fails || b.fails);
      }
      default: {
        const Made a = at_least(kOrLevel, depth);
        const Made b = at_least(kImpliesLevel, depth);
        return of_condition(a.text + " implies " + b.text, kImpliesLevel, a.fails || b.holds,
                            a.holds && b.fails);
      }
    }
  }

  Made negation(int depth) {
    const Made a = at_least(kNotLevel, depth);
    return of_condition("not " + a.text, kNotLevel, a.fails, a.holds);
  }

  Made comparison(int depth) {
    const Made a = at_least(kSumLevel, depth);
    const Made b = at_least(kSumLevel, depth);
    const double x = a.value;
    const double y = b.value;
    const bool less = x < y;
    const bool equal = x == y;
    const bool greater = x > y;
    const auto made = [&](const char* op, bool holds, bool fails) {
      return of_condition(a.text + op + b.text, kCompareLevel, holds, fails);
    };
    switch (pick(7)) {
      case 0:
        return made(" < ", less, equal || greater);
      case 1:
        return made(" <= ", less || equal, greater);
      case 2:
        return made(" > ", greater, less || equal);
      case 3:
        return made(" >= ", greater || equal, less);
      case 4:
        return made(" == ", equal, less || greater);
      case 5:
        return made(" != ", less || greater, equal);
      default: {
        const Made c = at_least(kSumLevel, depth);
        const bool ordered = y <= c.value;
        return of_condition(a.text + " < " + b.text + " <= " + c.text, kCompareLevel,
                            less && ordered, equal || greater || y > c.value);
      }
    }
  }

  Made sum(int depth) {
    const Made a = at_least(kSumLevel, depth);
    const Made b = at_least(kProductLevel, depth);
    if (pick(2) == 0) return of_number(a.text + " + " + b.text, kSumLevel, a.value + b.value);
    return of_number(a.text + " - " + b.text, kSumLevel, a.value - b.value);
  }

  Made product(int depth) {
    const Made a = at_least(kProductLevel, depth);
    const Made b = at_least(kSignLevel, depth);
    if (pick(2) == 0) return of_number(a.text + " * " + b.text, kProductLevel, a.value * b.value);
    return of_number(a.text + " / " + b.text, kProductLevel, a.value / b.value);
  }

  Made sign(int depth) {
    const Made a = at_least(kPowerLevel, depth);
    return of_number("-" + a.text, kSignLevel, -a.value);
  }

  Made power(int depth) {
    const Made a = at_least(kOperandLevel, depth);
    const Made b = at_least(kSignLevel, depth);
    return of_number(a.text + " ^ " + b.text, kPowerLevel, std::pow(a.value, b.value));
  }

  Made call(int depth) {
    const Made a = at_least(kChoiceLevel, depth);
    const Made b = at_least(kChoiceLevel, depth);
    const Made c = at_least(kChoiceLevel, depth);
    const double x = a.value;
    const double y = b.value;
    const double z = c.value;
    const auto one = [&](const char* name, double value) {
      return of_number(std::string(name) + "(" + a.text + ")", kOperandLevel, value);
    };
    const auto more = [&](const char* name, double value) {
      return of_number(std::string(name) + "(" + a.text + ", " + b.text + ", " + c.text + ")",
                       kOperandLevel, value);
    };
    switch (pick(12)) {
      case 0:
        return one("abs", std::fabs(x));
      case 1:
        return one("sqrt", std::sqrt(x));
      case 2:
        return one("sin", std::sin(x));
      case 3:
        return one("atan", std::atan(x));
      case 4:
        return one("exp", std::exp(x));
      case 5:
        return one("ln", std::log(x));
      case 6:
        return one("floor", std::floor(x));
      case 7:
        return one("round", std::round(x));
      case 8:
        return of_number("atan2(" + a.text + ", " + b.text + ")", kOperandLevel, std::atan2(x, y));
      case 9: {  // what is first and nan stays, what is later and nan is passed over
        double least = x;
        if (y < least) least = y;
        if (z < least) least = z;
        return more("min", least);
      }
      case 10: {
        double most = x;
        if (y > most) most = y;
        if (z > most) most = z;
        return more("max", most);
      }
      default:
        return more("hypot", std::sqrt(x * x + y * y + z * z));
    }
  }

  std::mt19937 random_;
  const Snapshot* snapshot_;
};

// All signals and numbers in it are angles or plain, since other parts of sums must fit.
TEST(RandomExpressions, AreWhatTheyWereMadeToBe) {
  const RobotConfig config = two_joint_robot();
  Snapshot snapshot = snapshot_at(config, 1500);
  snapshot.joints[0].state.q = 1.0 / 3.0;
  snapshot.joints[0].reference.q = -0.7;
  Maker maker(20240611, snapshot);
  int finite = 0;
  int conditions = 0;
  for (int i = 0; i < 20000; ++i) {
    const Made made = maker.any(1 + i % 5);
    SCOPED_TRACE(made.text);
    SignalTable table(config);
    const Expression expression(made.text, table);
    table.update(snapshot);
    const Check check = expression.check();
    const double value = expression.value();
    ASSERT_EQ(std::isnan(value), std::isnan(made.value));
    if (!std::isnan(value)) {
      ASSERT_EQ(value, made.value);
    }
    ASSERT_EQ(check.holds, made.holds);
    finite += std::isfinite(value) ? 1 : 0;
    conditions += expression.is_condition() ? 1 : 0;
  }
  EXPECT_GT(finite, 5000) << "an expression that is nan tells little";
  EXPECT_GT(conditions, 3000);
}

}  // namespace
}  // namespace jointrig::harness
