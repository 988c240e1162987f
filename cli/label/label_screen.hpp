// Two records side by side.
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/records.hpp"

struct Screen {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool colour = false;
};

/// Of the terminal, by COLUMNS and LINES where it does not say, else 80 x 24. Colours only on a
/// terminal, and not where NO_COLOR is set (https://no-color.org).
Screen screen_of_terminal();

/// A line a trait, `*` before those that differ. Where they are more than the screen has rows,
/// those that differ come first and what is left out is counted; `all` shows everything.
std::string side_by_side(const shiftcut::RecordPair& pair, const Screen& screen, bool all);
