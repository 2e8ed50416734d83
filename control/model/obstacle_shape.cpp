#include "control/model/obstacle_shape.h"

#include <Eigen/Geometry>

#include "control/model/enclosing_capsule.h"

namespace jointrig {

Shape shape_of(const KnownObstacle& obstacle) noexcept {
  Shape shape;
  switch (obstacle.shape) {
    case KnownShape::kBox:
      shape.kind = Shape::Kind::kBox;
      shape.half_size = Eigen::Map<const Eigen::Vector3d>(obstacle.size.data());
      break;
    case KnownShape::kSphere:
      shape.radius = obstacle.size[0];
      break;
    case KnownShape::kCapsule:
      shape.radius = obstacle.size[0];
      shape.half_length = obstacle.size[1];
      break;
  }
  return shape;
}

Placed placed(const KnownObstacle& obstacle) noexcept {
  const std::array<double, 4>& q = obstacle.orientation;
  return {Eigen::Map<const Eigen::Vector3d>(obstacle.position.data()),
          Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()};
}

PlacedPartner against(const Shape& obstacle, const ObstaclePartner& partner,
                      const CollisionGeometry& geometry, const Placed& at) noexcept {
  if (obstacle.kind != Shape::Kind::kBox) return {&geometry.shapes[partner.shape], at};
  return {&partner.beside_box, {at.centre, at.axes * partner.turn}};
}

std::vector<ObstaclePartner> obstacle_partners(const CollisionGeometry& geometry) {
  std::vector<ObstaclePartner> partners;
  for (std::size_t i = 0; i < geometry.geom_count; ++i) {
    const Shape& shape = geometry.shapes[i];
    if (shape.body == 0) continue;
    ObstaclePartner& partner = partners.emplace_back();
    partner.shape = static_cast<std::uint16_t>(i);
    partner.beside_box = shape;
    if (shape.kind != Shape::Kind::kBox) continue;
    partner.beside_box = enclosing_capsule(shape);
    partner.turn = shape.axes.transpose() * partner.beside_box.axes;
  }
  return partners;
}

}  // namespace jointrig
