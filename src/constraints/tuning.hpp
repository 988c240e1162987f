// The numbers of the constraints: how long proofs are searched for, and how many conflicts groups
// may become.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shiftcut::constraints_tuning {

// Pairs or objects named in a message; the rest is counted.
inline constexpr std::size_t kMostNamed = 20;
// Pairs tried per object in search of a short proof that must-links contradict a group.
inline constexpr std::size_t kMostTried = 64;
// Steps of the exhaustive colouring of a component, after which the verdict is unknown: seconds.
inline constexpr std::size_t kMostColouringSteps = 2'000'000;

// Groups become conflicts up to this many pairs, or this many per object, which a search hardly
// notices; with K given and other conflicts up to kColouredPairs, to be sure that K are enough.
inline constexpr std::uint64_t kFewPairs = 20'000;
inline constexpr std::uint64_t kFewPairsPerObject = 8;
inline constexpr std::uint64_t kColouredPairs = 5'000'000;

// Bounds on pairs that would be quadratic, per member: of one object's neighbours that share a
// group, and of a group's members in one cluster. The rest comes up in later rounds.
inline constexpr std::size_t kMostNearPairs = 8;
inline constexpr std::size_t kMostClashes = 64;

}  // namespace shiftcut::constraints_tuning
