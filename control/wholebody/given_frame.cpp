#include "control/wholebody/given_frame.h"

namespace jointrig {
namespace {

void rotate(const Eigen::Matrix3d& by, double* numbers) noexcept {
  Eigen::Map<Eigen::Vector3d> vector(numbers);
  vector = (by * vector).eval();
}

}  // namespace

void to_stance(const GivenFrame& frame, RowShape shape, std::span<double> rows) noexcept {
  const std::size_t width = shape.width();
  for (std::size_t at = 0; at + width <= rows.size(); at += width) {
    double* next = rows.data() + at + 1;
    if (shape.has_place) {
      rotate(frame.axes, next);
      Eigen::Map<Eigen::Vector3d>(next) += frame.origin;
      next += 3;
    }
    const Eigen::Quaterniond given(next[0], next[1], next[2], next[3]);
    const Eigen::Quaterniond q = frame.left * given * frame.right;
    next[0] = q.w();
    next[1] = q.x();
    next[2] = q.y();
    next[3] = q.z();
    next += 4;
    if (!shape.has_velocities) continue;
    if (shape.has_place) {
      rotate(frame.axes, next);
      next += 3;
    }
    rotate(frame.turning, next);
  }
}

}  // namespace jointrig
