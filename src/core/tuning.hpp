// The constants of this room.
#pragma once

namespace shiftcut {

/// Work of at least this time is kept in a checkpoint. Writing a part takes some milliseconds where
/// the disk is slow to say that it is written.
inline constexpr double kLeastKeptSeconds = 0.05;

}  // namespace shiftcut
