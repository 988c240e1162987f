// A map: a place in the plane for each object, so that objects near each other in the data are near
// each other in the picture.
#pragma once

#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct Place {
  double x = 0;
  double y = 0;
};

/// One place per object, in their order.
using Layout = std::vector<Place>;

/// The map of the objects that run(input, options) = result grouped. One or two columns are drawn
/// as they are, scaled; rows under the linear similarity by their two principal components; all
/// else, neighbours and graphs, so that neighbours stay together (src/layout/spread.hpp). Equal
/// rows share a place.
///
/// `neighbors` of the run, or null: they are searched for again. The same places for the same
/// `options.search.seed` on any number of threads. O(n) steps per neighbour once these are known.
/// Asked to stop, it returns the map as far as it has come; throws Interrupted if there is none
/// yet.
Layout layout(const Input& input, const Options& options, const Result& result,
              const NeighborTable* neighbors = nullptr, const Control& control = {});

/// `id,x,y` lines under a header; ids as in labels_csv().
std::string layout_csv(const Layout& layout, const Input& input);

}  // namespace shiftcut
