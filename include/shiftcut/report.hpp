// A Result for machines and for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "shiftcut/data.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/result.hpp"
#include "shiftcut/strength.hpp"

namespace shiftcut {

struct Model;
struct Prediction;

/// One JSON object, fields as docs/result.md lists them; ends in a newline.
std::string to_json(const Result& result, Naming naming = plain_name);
/// The same with the names of a graph's nodes in `ids`, and how sure each label is, if that is
/// given.
std::string to_json(const Result& result, const Input& input, Naming naming = plain_name,
                    const Strengths* strengths = nullptr);

/// The clusters of new rows as one JSON object, fields as docs/predict.md lists them.
std::string prediction_json(const Prediction& prediction, const Model& model, const Input& input,
                            Naming naming = plain_name);

/// The scores alone, as one JSON object.
std::string to_json(const Scores& scores);

/// A readable summary: sizes, cost, scores, warnings.
std::string to_text(const Result& result, const Input& input, Naming naming = plain_name);

/// `id,label` lines under a header; ids with commas or quotes are quoted.
std::string labels_csv(const Result& result, const Input& input);

/// `id,label,strength,outlier_score` lines under a header, ids as in labels_csv().
std::string strength_csv(std::span<const std::int32_t> labels, const Strengths& strengths,
                         const Input& input);

/// The answers under a header a,b,answer, ids as in labels_csv(): what read_answers() reads.
std::string answers_csv(std::span<const Answer> answers, const Input& input);

}  // namespace shiftcut
