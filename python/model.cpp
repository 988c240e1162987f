#include "model.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "messages.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;
/// name, kind ("number", "text" or "empty"), median, categories, mode
using Column = std::tuple<std::string, std::string, double, std::vector<std::string>, std::size_t>;
using Columns = std::vector<Column>;

using Kind = shiftcut::ColumnEncoding::Kind;

std::shared_ptr<const shiftcut::TableEncoding> encoding_from(const Columns& columns,
                                                             bool has_names) {
  shiftcut::TableEncoding encoding;
  encoding.has_names = has_names;
  encoding.width = columns.size();
  for (const auto& [name, kind, median, categories, mode] : columns) {
    encoding.columns.push_back({name,
                                kind == "number" ? Kind::number
                                : kind == "text" ? Kind::text
                                                 : Kind::empty,
                                encoding.columns.size(), median, categories, mode});
  }
  return std::make_shared<const shiftcut::TableEncoding>(std::move(encoding));
}

std::vector<std::string> encoded_names(const shiftcut::TableEncoding& encoding) {
  std::vector<std::string> names;
  for (const shiftcut::ColumnEncoding& column : encoding.columns) {
    if (column.kind == Kind::number) {
      names.push_back(column.name);
    }
    for (const std::string& category : column.categories) {
      names.push_back(column.name + "=" + category);
    }
  }
  return names;
}

class PythonModel {
 public:
  explicit PythonModel(shiftcut::Model model, nb::object values = nb::none())
      : values_(std::move(values)),
        model_(std::make_shared<const shiftcut::Model>(std::move(model))) {}

  [[nodiscard]] const shiftcut::Model& model() const { return *model_; }

  std::vector<std::int32_t> predict(nb::handle values, int threads) {
    const shiftcut::Rows rows = values_from(values);
    std::vector<std::int32_t> labels;
    watched(
        [&](const shiftcut::Control& control) {
          labels = predictor(threads, control).predict(rows, threads, control);
        },
        nb::none());
    return labels;
  }

  shiftcut::Prediction judge(nb::handle values, int threads, bool noise) {
    const shiftcut::Rows rows = values_from(values);
    shiftcut::Prediction prediction;
    watched(
        [&](const shiftcut::Control& control) {
          prediction = predictor(threads, control).judge(rows, threads, control);
        },
        nb::none());
    if (noise) {
      shiftcut::leave_out_outliers(prediction);
    }
    return prediction;
  }

  std::vector<double> affinities(nb::handle values, int threads) {
    const shiftcut::Rows rows = values_from(values);
    std::vector<double> all;
    watched(
        [&](const shiftcut::Control& control) {
          all = predictor(threads, control).affinities(rows, threads, control);
        },
        nb::none());
    return all;
  }

 private:
  // Made by the first question; others may be asked at the same time.
  const shiftcut::Predictor& predictor(int threads, const shiftcut::Control& control) {
    const std::lock_guard lock(mutex_);
    if (!predictor_) {
      predictor_.emplace(model_, threads, control);
    }
    return *predictor_;
  }

  nb::object values_;  // that the model looks at
  std::shared_ptr<const shiftcut::Model> model_;
  std::mutex mutex_;
  std::optional<shiftcut::Predictor> predictor_;
};

void init_model(PythonModel* self, nb::object values, const std::string& shape,
                const OptionsIn& given, const PythonRun& run, const std::optional<Columns>& columns,
                bool has_names) {
  shiftcut::Input input;
  input.values = values_from(values);
  input.shape = enum_from<shiftcut::Shape>("shape", shape);
  input.weights = row_weights_from(given);
  input.name = "X";
  input.checked = true;
  shiftcut::Kept kept{run.neighbors, nullptr};
  if (columns) {
    kept.encoding = encoding_from(*columns, has_names);
    input.column_names = encoded_names(*kept.encoding);
  }
  const shiftcut::Options options = options_from(given);
  shiftcut::Model model;
  watched(
      [&](const shiftcut::Control& control) {
        model = shiftcut::make_model(input, options, run.result, kept, control);
      },
      nb::none());
  const bool borrows = model.rows.has_value() && !model.is_sparse;
  new (self) PythonModel(std::move(model), borrows ? std::move(values) : nb::none());
}

nb::bytes bytes_of(const PythonModel& model) {
  std::string bytes;
  {
    const nb::gil_scoped_release without_gil;
    bytes = shiftcut::model_bytes(model.model());
  }
  return nb::bytes(bytes.data(), bytes.size());
}

shiftcut::Model from_bytes(const nb::bytes& bytes, const std::string& name) {
  return shiftcut::model_from_bytes({bytes.c_str(), bytes.size()}, name);
}

std::optional<Columns> columns_of(const PythonModel& model) {
  if (model.model().encoding == nullptr) {
    return std::nullopt;
  }
  Columns columns;
  for (const shiftcut::ColumnEncoding& column : model.model().encoding->columns) {
    columns.emplace_back(column.name,
                         column.kind == Kind::number ? "number"
                         : column.kind == Kind::text ? "text"
                                                     : "empty",
                         column.median, column.categories, column.mode);
  }
  return columns;
}

std::string result_json(const PythonModel& model) {
  shiftcut::Result result = model.model().result;
  result.labels.clear();
  shiftcut::Input names;
  names.shape = model.model().shape;
  names.ids = model.model().ids;
  return shiftcut::to_json(result, names, parameter_name);
}

// Equal rows share the weight of their node.
nb::object row_weights_of(const PythonModel& model) {
  const shiftcut::Model& of = model.model();
  if (of.weights.empty()) {
    return nb::none();
  }
  std::vector<double> counts(of.weights.size(), 0.0);
  for (const std::uint32_t node : of.node_of) {
    if (node != shiftcut::kNobody) {
      counts[node] += 1;
    }
  }
  std::vector<double> weights;
  for (const std::uint32_t node : of.node_of) {
    weights.push_back(node == shiftcut::kNobody ? 0.0 : of.weights[node] / counts[node]);
  }
  const std::size_t n = weights.size();
  return nb::cast(as_array(std::move(weights), n));
}

Array<std::int32_t, 1> labels_of(const PythonModel& model) {
  const std::vector<std::int32_t>& labels = model.model().result.labels;
  return as_array(std::vector<std::int32_t>(labels), labels.size());
}

// Strengths and outlier scores, and probabilities as the parts of compressed sparse rows.
using StrengthsOut = std::tuple<Array<double, 1>, Array<double, 1>, Array<double, 1>,
                                Array<std::int32_t, 1>, Array<std::uint64_t, 1>>;

StrengthsOut strengths_out(shiftcut::Strengths strengths) {
  const auto array = [](auto&& values) {
    const std::size_t n = values.size();
    return as_array(std::forward<decltype(values)>(values), n);
  };
  return {array(std::move(strengths.strength)), array(std::move(strengths.outlier)),
          array(std::move(strengths.probabilities)), array(std::move(strengths.clusters)),
          array(std::move(strengths.offsets))};
}

}  // namespace

void bind_model(nb::module_& module) {
  // NOLINTNEXTLINE(bugprone-unused-raii)
  nb::class_<PythonRun>(module, "Run", "What a run found, for later questions about it.");
  nb::class_<PythonModel>(module, "Model", "Assigns new rows to the clusters of a fit.")
      .def("__init__", &init_model, "values"_a, "shape"_a, "options"_a, "run"_a,
           "columns"_a = nb::none(), "has_names"_a = false)
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes,
             const char* name) {  // a string would be made where nothing may throw
            return std::make_unique<PythonModel>(from_bytes(bytes, name));
          },
          "bytes"_a, "name"_a, "The model that a file holds.")
      .def("to_bytes", &bytes_of, "As a file holds it.")
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](PythonModel& model, const nb::bytes& bytes) {
             new (&model) PythonModel(from_bytes(bytes, "pickled model"));
           })
      .def(
          "predict",
          [](PythonModel& model, nb::handle values, int threads) {
            std::vector<std::int32_t> labels = model.predict(values, threads);
            const std::size_t n = labels.size();
            return as_array(std::move(labels), n);
          },
          "values"_a, "threads"_a, "The cluster of each row.")
      .def(
          "judge",
          [](PythonModel& model, nb::handle values, int threads, bool noise) {
            shiftcut::Prediction prediction = model.judge(values, threads, noise);
            const std::size_t n = prediction.labels.size();
            return std::pair(as_array(std::move(prediction.labels), n),
                             strengths_out(std::move(prediction.strengths)));
          },
          "values"_a, "threads"_a, "noise"_a,
          "The cluster of each row, and its strength, outlier score and probabilities (data, "
          "indices and indptr); with `noise` the label -1 for outliers.")
      .def(
          "strengths",
          [](const PythonModel& model) { return strengths_out(model.model().strengths); },
          "Of the training objects, as in `judge`.")
      .def(
          "affinities",
          [](PythonModel& model, nb::handle values, int threads) {
            std::vector<double> all = model.affinities(values, threads);
            const std::size_t clusters = model.model().result.sizes.size();
            const std::size_t n = all.size() / clusters;
            return as_array(std::move(all), n, clusters);
          },
          "values"_a, "threads"_a, "Of each row to each cluster.")
      .def(
          "run",
          [](const PythonModel& model) {
            return PythonRun{model.model().result, model.model().neighbors};
          },
          "The run that it was made of.")
      .def("labels", &labels_of, "Of the training objects.")
      .def("row_weights", &row_weights_of, "Of the training rows, or None.")
      .def("result", &result_json, "The rest of the result as JSON.")
      .def(
          "options",
          [](const PythonModel& model) { return OptionsIn(dict_from(model.model().options)); },
          "Under the names that `run` takes.")
      .def("columns", &columns_of, "Of the table: name, kind, median, categories and mode of each.")
      .def_prop_ro("shape",
                   [](const PythonModel& model) {
                     return std::string(shiftcut::word_of(model.model().shape));
                   })
      .def_prop_ro("n_columns", [](const PythonModel& model) { return model.model().columns; })
      .def_prop_ro("has_names", [](const PythonModel& model) {
        return model.model().encoding != nullptr && model.model().encoding->has_names;
      });
}

}  // namespace shiftcut_python
