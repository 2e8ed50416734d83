#pragma once
/// The parts of the module `jointrig._core`, and what they share.

#include <nanobind/nanobind.h>

namespace jointrig::python {

namespace nb = nanobind;

void bind_commands(nb::module_& m);
void bind_session(nb::module_& m);

/// An exception class of python/jointrig/errors.py.
nb::object error_class(const char* name);

}  // namespace jointrig::python
