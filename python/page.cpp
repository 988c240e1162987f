#include "page.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input_from_arrays.hpp"
#include "messages.hpp"
#include "model.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;
using ClassesIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes page(nb::handle values, const std::string& shape, const OptionsIn& given,
               const PythonRun& run, const ClassesIn& truth, std::string_view title,
               std::string_view command, std::vector<std::string> names,
               std::vector<std::string> columns, std::vector<std::string> classes) {
  shiftcut::Input input;
  input.values = values_from(values);
  input.shape = enum_from<shiftcut::Shape>("shape", shape);
  input.weights = row_weights_from(given);
  input.ids = std::move(names);
  input.column_names = std::move(columns);
  input.truth.assign(truth.data(), truth.data() + truth.shape(0));
  input.truth_names = std::move(classes);
  input.name = "X";
  input.checked = true;
  const shiftcut::Options options = options_from(given);
  shiftcut::PageOptions about;
  about.title = title;
  about.command = command;
  about.naming = parameter_name;
  std::string html;
  watched(
      [&](const shiftcut::Control& control) {
        html = shiftcut::page_html(input, options, run.result, about, run.neighbors.get(), control);
      },
      nb::none());
  return nb::bytes(html.data(), html.size());
}

}  // namespace

void bind_page(nb::module_& module) {
  module.def("has_page", &shiftcut::has_page, "Whether the page of reports was compiled in.");
  module.def(
      "has_explorer", [] { return !shiftcut::explore_page().html.empty(); },
      "Whether the page of the explorer was compiled in.");
  module.def(
      "explore_widget", [] { return std::string(shiftcut::explore_page().widget); },
      "The module that shows the explorer in a notebook.");
  module.def("page", &page, "values"_a, "shape"_a, "options"_a, "run"_a, "truth"_a, nb::kw_only(),
             "title"_a, "command"_a, "names"_a, "columns"_a, "classes"_a,
             "A run as one HTML page. Lists that are empty are not known.");
}

}  // namespace shiftcut_python
