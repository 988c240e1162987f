#include "search/search.hpp"

#include "search/multilevel.hpp"
#include "search/portfolio.hpp"

namespace shiftcut {

Found search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
             const Control& control, StopCheck& stop) {
  switch (options.method) {
    case Method::local_search:
      return local_search(problem, options, team, control, stop);
    case Method::multilevel:
      return multilevel(problem, options, team, control, stop);
    case Method::automatic:
      break;
  }
  return portfolio(problem, options, team, control, stop);
}

}  // namespace shiftcut
