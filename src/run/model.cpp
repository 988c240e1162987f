// What a run leaves for new rows: see model.hpp.
#include "shiftcut/model.hpp"

#include "core/message.hpp"
#include "problem/make_problem.hpp"
#include "run/affinity.hpp"

namespace shiftcut {

namespace {

bool needs_rows(const Result& result) {
  return result.similarity == "neighbors" || result.similarity == "rbf" ||
         result.distance == "euclidean";
}

std::size_t columns_of(const Rows& rows) {
  const auto* dense = std::get_if<DenseArray>(&rows);
  return dense != nullptr ? dense->columns() : std::get<SparseMatrix>(rows).columns_count;
}

// A run that did not keep its neighbours, or was stopped before it knew them.
void search_again(Model& model, const Input& input, ThreadTeam& team, const Control& control) {
  Options options = model.options;
  options.keep_neighbors = true;
  if (model.result.learned) {
    options.similarity.feature_weights = model.result.learned->weights;
  }
  const MadeProblem made = make_problem(input, options, team, control);
  model.result.neighbors = made.neighbors;
  model.result.scaling = made.scaling;
}

}  // namespace

Model make_model(const Input& input, const Options& options, const Result& result,
                 const Control& control) {
  if (result.shift_kind == "matrix") {
    refuse("not_applicable", "shift",
           "{shift}: found a matrix, which holds no shift for new rows; allowed: any other");
  }
  if (result.labels.size() != input.objects()) {
    refuse("bad_input", "", "result: found {} labels; allowed: {}, one per object",
           result.labels.size(), input.objects());
  }
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  Model model;
  model.options = options;
  model.options.shift.matrix = {};
  model.result = result;
  model.shape = input.shape;
  model.is_sparse = std::holds_alternative<SparseMatrix>(input.values);
  model.columns = columns_of(input.values);
  model.ids = input.ids;
  model.column_names = input.column_names;
  model.encoding = input.encoding;
  if (input.shape == Shape::features && result.similarity == "neighbors") {
    if (result.neighbors == nullptr) {
      search_again(model, input, team, control);
    }
  } else if (input.shape == Shape::features && !needs_rows(result)) {
    model.sums = product_sums(model, input.values, team);
  } else {
    model.pairs = pair_means(model, input.values, team);
  }
  if (input.shape == Shape::features && needs_rows(result)) {
    model.rows = input.values;
  }
  return model;
}

}  // namespace shiftcut
