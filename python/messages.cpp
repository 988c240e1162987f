#include "messages.hpp"

#include <nanobind/stl/string.h>

#include <array>
#include <exception>
#include <utility>

#include "shiftcut/control.hpp"

namespace shiftcut_python {

namespace nb = nanobind;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kNames = {{
    {"clusters", "n_clusters"},
    {"min_size", "min_cluster_size"},
    {"max_size", "max_cluster_size"},
    {"neighbors", "n_neighbors"},
    {"restarts", "n_init"},
    {"seed", "random_state"},
    {"threads", "n_jobs"},
    {"cannot_link_by", "cannot_link_groups"},
    {"learn", "learn_shift"},
    {"object", "sample"},
    {"weight_column", "sample_weight"},
}};

std::string name_of(std::string_view parameter) {
  for (const auto& [name, python] : kNames) {
    if (parameter == name) {
      return std::string(python);
    }
  }
  return std::string(parameter);
}

void raise(PyObject* type, const std::exception& error, const shiftcut::Message& message) {
  try {
    nb::object raised = nb::borrow(type)(shiftcut::render(error, parameter_name));
    raised.attr("code") = message.code;
    raised.attr("parameter") = name_of(message.parameter);
    PyErr_SetObject(type, raised.ptr());
  } catch (nb::python_error& failed) {
    failed.restore();
  }
}

}  // namespace

std::string parameter_name(std::string_view parameter, std::string_view value) {
  if (parameter == "shift" && value == "matrix") {
    return "shift";
  }
  const std::string_view constant = "constant=";
  if (parameter == "shift" && value.starts_with(constant)) {
    return "shift=" + std::string(value.substr(constant.size()));
  }
  std::string name = name_of(parameter);
  return value.empty() ? name : name.append("='").append(value).append("'");
}

std::vector<Said> said(const std::vector<shiftcut::Message>& messages) {
  std::vector<Said> out;
  out.reserve(messages.size());
  for (const shiftcut::Message& message : messages) {
    out.emplace_back(message.code, name_of(message.parameter), render(message, parameter_name));
  }
  return out;
}

std::vector<shiftcut::Message> messages_from(const std::vector<Said>& notes) {
  std::vector<shiftcut::Message> out;
  out.reserve(notes.size());
  for (const auto& [code, parameter, text] : notes) {
    out.push_back({code, parameter, "{}", {text}});
  }
  return out;
}

void translate_exceptions() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const shiftcut::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const shiftcut::InvalidArgument& error) {
      raise(PyExc_ValueError, error, error.message());
    } catch (const shiftcut::ResourceError& error) {
      raise(PyExc_RuntimeError, error, error.message());
    }
  });
}

}  // namespace shiftcut_python
