// The connected components of the objects: those joined by positive similarities.
#pragma once

#include <vector>

#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

struct Components {
  std::vector<std::size_t> of;  // 0 .. count-1, in the order of their first objects
  std::size_t count = 0;
};

Components components(const Similarities& similarities);

}  // namespace shiftcut::methods
