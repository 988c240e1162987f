// The limits and sample sizes of the readers, in one place: how much of a file they accept, how
// much of it they look at before they decide how to read it, and how much a message lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace shiftcut {

// What is accepted: a damaged file, or one that is not what its name says, is rejected before it
// fills the memory.

/// Object ids are 32-bit, and the largest of them means "none".
inline constexpr std::size_t kMostObjects = std::numeric_limits<std::uint32_t>::max() - 1;

/// A row of a table with a million columns fits. Binary files rarely hold line ends: they are
/// rejected here.
inline constexpr std::size_t kLongestLine = std::size_t{128} << 20;

/// A quote that is never closed would otherwise swallow the rest of a large file.
inline constexpr std::size_t kLongestQuotedRecord = std::size_t{16} << 20;

/// The dictionary NumPy writes has about 100 bytes.
inline constexpr std::size_t kLongestNpyDictionary = std::size_t{1} << 20;

/// A damaged header may promise billions of rows or columns, each of which takes memory even if it
/// has no entries: up to a million are accepted, beyond that this many for each entry.
inline constexpr std::size_t kAlwaysAllowedExtent = std::size_t{1} << 20;
inline constexpr std::size_t kExtentPerEntry = 1024;

/// Categories of a text column: with more, the column is all but sure to hold identifiers. Up to
/// `kFewCategories` are never suspicious; above that, more than one for every two rows are.
inline constexpr std::size_t kMostCategories = 1000;
inline constexpr std::size_t kFewCategories = 20;

/// Columns of 0 and 1 that text may become, all columns together. Without a limit, half a megabyte
/// of text could become gigabytes of zeros.
inline constexpr std::size_t kMostOneHot = 10'000;

/// A one-hot encoded matrix of at least this size, with so many columns for each column of the
/// file, gets a note.
inline constexpr double kLargeOneHotBytes = 1e8;
inline constexpr std::size_t kManyOneHotPerColumn = 20;

/// By how much s(i, j) and s(j, i) may differ, relative to the largest absolute value: programs
/// that write matrices as text or in float32 round both differently.
inline constexpr double kSymmetryTolerance = 1e-8;

// What is looked at before deciding.

/// Rows, and bytes of their text, by which the kinds of the columns are decided. They are held as
/// text meanwhile, hence the bound on bytes where rows are very long.
inline constexpr std::size_t kSampledRows = 1000;
inline constexpr std::size_t kSampledRowBytes = std::size_t{64} << 20;

/// Bytes at the start of a table by which delimiter and decimal mark are detected.
inline constexpr std::size_t kTableFormSample = std::size_t{64} << 10;

/// Bytes at the start of a file of labels that are searched for a header.
inline constexpr std::size_t kLongestLabelHeader = 4096;

/// Bytes without LF after which a file counts as one whose lines end in CR.
inline constexpr std::size_t kLineEndSample = std::size_t{64} << 10;

/// Files are written block by block, so one that is smaller than a block was hardly cut short by
/// accident.
inline constexpr std::uint64_t kFileBlock = 4096;

/// Comments of an edge list that are remembered because they read like edges.
inline constexpr std::size_t kRememberedComments = 1000;

// How memory is walked.

/// Bytes of a file of entries below which starting threads takes longer than they save.
inline constexpr std::uint64_t kWorthThreads = std::uint64_t{1} << 20;

/// Bytes read at a time, and checked between two reports of progress.
inline constexpr std::size_t kReadChunk = std::size_t{1} << 20;

/// Rows and columns of a square tile of a matrix that is compared with its mirror image, or
/// transposed: two tiles of doubles fit into the second and the first level of the cache.
inline constexpr std::size_t kSymmetryTile = 128;
inline constexpr std::size_t kTransposeTile = 32;

/// Bytes of columns that are read together when an array is stored column by column.
inline constexpr std::size_t kColumnBuffer = std::size_t{32} << 20;

// What a message lists.

/// Columns that get a note of their own; the others share one.
inline constexpr std::size_t kNotesByColumn = 8;

/// Names listed in a message, and columns listed as those with the most categories.
inline constexpr std::size_t kNamesShown = 10;
inline constexpr std::size_t kWidestShown = 3;

/// Letters of a name that count when names like it are suggested.
inline constexpr std::size_t kLettersCompared = 64;

/// Bytes of a path, and of the last line of a file, that are shown.
inline constexpr std::size_t kLongestPathShown = 4096;
inline constexpr std::size_t kLastLineShown = 60;

}  // namespace shiftcut
