// The file of answers, which `label` and `explore` write and go on from.
#pragma once

#include <string>
#include <vector>

#include "cluster_options.hpp"
#include "output/output_file.hpp"
#include "shiftcut/shiftcut.hpp"

/// Throws std::invalid_argument for an INPUT that can be read only once: the rows shown are read
/// again, and the answers hold for this file.
void require_readable_again(const std::string& path);

/// The file that `option` names, or one beside the work named after INPUT, which `path` becomes.
/// Throws std::invalid_argument for standard output and for a file that is read.
OutputFile named_after_input(const char* option, const char* ending,
                             const ClusterArguments& grouping, std::string& path);

/// The same, for answers: a file that can be read again.
OutputFile answers_file(const char* option, const ClusterArguments& grouping, std::string& path);

/// What the file holds; nothing if there is none yet.
std::vector<shiftcut::Answer> answers_before(const std::string& path, const shiftcut::Input& input);

/// Takes in what was answered before. Throws std::invalid_argument, naming the file.
void resume(shiftcut::Feedback& feedback, const std::vector<shiftcut::Answer>& answers,
            const std::string& file, const shiftcut::Control& control);
