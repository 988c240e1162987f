// What a run leaves for new rows: see model.hpp.
#include "shiftcut/model.hpp"

#include "core/message.hpp"
#include "problem/similarities.hpp"
#include "run/pipeline.hpp"
#include "run/predict/affinity.hpp"
#include "run/predict/strength.hpp"

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

// For a run that did not hand its neighbours out, or was stopped before it knew them.
void search_again(Model& model, const Input& nodes, ThreadTeam& team, const Control& control) {
  SimilarityOptions options = as_used(model.options.similarity, model.result);
  if (model.result.learned) {
    options.feature_weights = model.result.learned->weights;
  }
  const Similarities made = make_similarities(nodes, options, team, control);
  model.neighbors = made.neighbors;
  model.result.scaling = made.scaling;
}

}  // namespace

Model make_model(const Input& input, const Options& options, const Result& result, Kept kept,
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
  model.encoding = std::move(kept.encoding);
  const RowNodes nodes = nodes_for(input, options, team);
  const Rows& values = nodes.input().values;
  model.node_of = nodes.of_rows();
  model.weights = nodes.input().weights;
  if (result.similarity == "neighbors") {
    model.neighbors = std::move(kept.neighbors);
    if (model.neighbors == nullptr) {
      search_again(model, nodes.input(), team, control);
    }
  } else if (input.shape == Shape::features && !needs_rows(result)) {
    model.sums = product_sums(model, values, team);
  } else {
    model.pairs = pair_means(model, values, team);
  }
  if (input.shape == Shape::features && needs_rows(result)) {
    model.rows = values;
  }
  model.reach = reach_of(model, values, team, control);
  judge_training(model, input.values, values, team, control);
  return model;
}

}  // namespace shiftcut
