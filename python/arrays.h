#pragma once
/// Vectors as numpy arrays that own them.

#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

#include "python/bindings.h"

namespace jointrig::python {

template <typename Number>
nb::object array_of(std::vector<Number> numbers) {
  auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
  const std::vector<Number>& here = *kept;
  const nb::capsule owner(kept.get(), [](void* vector) noexcept {
    const std::unique_ptr<std::vector<Number>> last(static_cast<std::vector<Number>*>(vector));
  });
  static_cast<void>(kept.release());  // the capsule's from here on
  using Array = nb::ndarray<nb::numpy, const Number, nb::ndim<1>>;
  return nb::cast(Array(here.data(), {here.size()}, owner));
}

}  // namespace jointrig::python
