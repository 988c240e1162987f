#include "strength/noise_test.hpp"

#include <algorithm>

#include "strength/few_objects.hpp"
#include "strength/separation.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

NoiseTest::NoiseTest(const PathGraph& graph, const NeighborDistances* distances, bool wanted)
    : graph_(graph),
      distances_(distances),
      applies_(wanted && distances != nullptr && !has_few_distinct_rows(graph)) {
  if (distances == nullptr) {
    return;
  }
  dimension_ = intrinsic_dimension(*distances);
  if (distances->columns != 1) {
    dimension_ = std::max(dimension_, kLeastDimension);
  }
  if (applies_ && distances->rows != nullptr) {
    spread_ = spread_dimension(*distances->rows);
  }
}

double NoiseTest::dip_of(const Election& election) const {
  return applies_
             ? density_dip(*distances_, graph_.of_objects(election.winner().labels), dimension_)
             : 0.0;
}

bool NoiseTest::is_noise(double most_stable, double dip) const {
  return applies_ && most_stable <= noise_plateau(space()) && dip <= noise_dip(space());
}

bool NoiseTest::is_like_noise(const Election& election, double score, std::size_t clusters) const {
  return applies_ && score <= noise_score(space(), clusters) &&
         dip_of(election) <= noise_dip(space());
}

NoiseSpace NoiseTest::space() const {
  const double dimension = spread_ > 0 ? std::min(dimension_, spread_) : dimension_;
  return {static_cast<double>(graph_.objects().size()), dimension,
          graph_.objects().size() < kFewObjects && !graph_.rows_repeat()};
}

}  // namespace shiftcut
