// The tuning numbers of this room. None changes what a search can find, only how long it takes or
// how good the first solution is; the measurements are for one thread.
#pragma once

#include <cstddef>

#include "core/partition.hpp"

namespace shiftcut {

// Local moving ------------------------------------------------------------------------------------

/// Up to this many clusters a node is compared with all of them, not only with its neighbours'.
inline constexpr std::size_t kCompareAllClusters = 64;

/// A queue of at most this many nodes is processed one by one, a longer one in batches of nodes
/// evaluated together: enough to keep all threads busy, few enough that neighbours seldom move in
/// the same batch.
inline constexpr std::size_t kLongestSerialQueue = 1024;
inline constexpr std::size_t kSmallestBatch = 128;
inline constexpr std::size_t kLargestBatch = 16384;
/// Batches are doubled while fewer than one node in this many would move, up to a size: threads
/// wait for each other half as often.
inline constexpr std::size_t kFewMove = 16;
inline constexpr std::size_t kMostTogether = 32768;
inline constexpr std::size_t kDenseBatch = 32;
inline constexpr std::size_t kNodesPerTask = 64;
/// Consecutive nodes that are in the same batch: what is stored of them shares lines of the cache.
/// A search takes .6 to .9 of the time that it takes with single nodes, at about the same cost
/// (four shuffled graphs of 2 to 4 million edges, two of them also numbered by cluster); with 16 as
/// long.
inline constexpr ObjectId kRunOfNodes = 8;
/// Margins are counted in such parts of the level's largest weight.
inline constexpr double kUnitsPerWeight = 1024;
/// Where labels are refined later, a long queue is given up if the moves of a pass have requeued
/// more than this many nodes each. The clusters of hubs otherwise fill up in many passes, 27 on an
/// RMAT graph of 29 million edges.
inline constexpr std::size_t kQueuedPerMove = 10;
/// If fewer of all objects are in clusters that nodes have left, the margins of their neighbours
/// are bounded one by one.
inline constexpr double kFewLeft = .25;
/// Up to this share of all nodes in clusters that have changed since a local optimum, only these
/// and their neighbours are visited.
inline constexpr double kFewChanged = .125;
/// Nodes whose marks one thread collects.
inline constexpr std::size_t kNodesPerPiece = 8192;

// Contraction -------------------------------------------------------------------------------------

/// Pieces of clusters gathered side by side, and how often: what is held twice is one part in so
/// many of the level.
inline constexpr std::size_t kPiecesAtOnce = 256;
inline constexpr std::size_t kContractRounds = 8;

// Cycles ------------------------------------------------------------------------------------------

/// A coarsest level of at most this many nodes is searched from random labels as well, this often.
/// Without it the same cost takes 1.2 to 1.4 times as long (eight graphs, K given, 2 to 10
/// restarts).
inline constexpr std::size_t kSmallCoarsestLevel = 128;
inline constexpr int kCoarsestRestarts = 10;

/// A cycle is converged if its last refinement moved fewer than one object in this many.
inline constexpr std::size_t kObjectsPerLastMove = 4000;

/// With K free, no level is added for taking off fewer than one node in this many: it would be a
/// copy, in time and memory.
inline constexpr std::size_t kNodesPerGrouped = 100;

/// Coarsening takes off a third of the nodes or more, as a rule; this bounds what ties could do.
inline constexpr std::size_t kMostLevels = 60;

// Greedy merging ----------------------------------------------------------------------------------

/// Up to this many clusters all pairs are in a matrix (32 MiB), beyond it only pairs with an edge.
inline constexpr std::size_t kMergeAllPairs = 2048;

// Descent on a small matrix -----------------------------------------------------------------------

/// Rounding in float32 could otherwise make objects cycle.
inline constexpr int kMostSmallSweeps = 1000;

// ---- Labels without a search ----

// Passes of label propagation: with joining 0.1 s on 200,000 nodes and 1,000,000 edges.
inline constexpr int kQuickPasses = 2;
// While labels propagate, no cluster grows beyond this multiple of n / K.
inline constexpr double kQuickLargest = 2;

}  // namespace shiftcut
