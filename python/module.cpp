/// The module `jointrig._core`. The package that users import is around it: python/jointrig.

#include <exception>

#include "app/version.h"
#include "control/core/nearest_word.h"
#include "control/model/mjcf.h"
#include "control/stack/config_error.h"
#include "harness/config/file_error.h"
#include "harness/log/mcap/mcap_scan.h"
#include "harness/runner/world.h"
#include "python/bindings.h"
#include "python/session.h"

namespace jointrig::python {

nb::object error_class(const char* name) {
  return nb::module_::import_("jointrig.errors").attr(name);
}

std::optional<BackendKind> backend_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  BackendKind kind{};
  if (parse(name, kind)) return kind;
  throw std::invalid_argument("no backend \"" + name + "\"" +
                              did_you_mean(name, kBackendKindWords));
}

namespace {

void set_error(const char* name, const std::exception& error) {
  PyErr_SetString(error_class(name).ptr(), error.what());
}

/// Bad input of any kind is one class in Python, whichever reader has found it.
void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Busy& error) {
    set_error("Busy", error);
  } catch (const harness::FileError& error) {
    set_error("InputError", error);
  } catch (const harness::LogFileError& error) {
    set_error("InputError", error);
  } catch (const ModelError& error) {
    set_error("InputError", error);
  } catch (const ConfigError& error) {
    set_error("InputError", error);
  } catch (const std::invalid_argument& error) {  // UnknownName and BadAction, too
    set_error("InputError", error);
  }
}

}  // namespace
}  // namespace jointrig::python

// The macro defines a function without a declaration of its own.
NB_MODULE(_core, m) {
  namespace python = jointrig::python;
  nanobind::register_exception_translator(python::translate);
  m.doc() = "The compiled part of jointrig.";
  m.attr("VERSION") = nanobind::str(jointrig::app::kVersion.data(), jointrig::app::kVersion.size());
  python::bind_commands(m);
  python::bind_session(m);
  python::bind_results(m);
  python::bind_log(m);
}
