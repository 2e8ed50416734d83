#pragma once
/// The parts of the module `jointrig._core`, and what they share.

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "control/core/robot_config.h"

namespace jointrig::python {

namespace nb = nanobind;

void bind_commands(nb::module_& m);
void bind_log(nb::module_& m);
void bind_results(nb::module_& m);
void bind_session(nb::module_& m);

/// Empty: none. Throws std::invalid_argument with the nearest word.
std::optional<BackendKind> backend_named(const std::string& name);

/// An exception class of python/jointrig/errors.py.
nb::object error_class(const char* name);

}  // namespace jointrig::python
