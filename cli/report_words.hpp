// What a report says of the command that made it.
#pragma once

#include <string>

#include "command_line.hpp"
#include "shiftcut/data.hpp"

/// The file's name, without the folders it is in.
std::string title_of(const shiftcut::Input& input);

/// The command as a shell takes it, without the options that only say what is written where.
std::string grouping_command(const Command& command, const std::string& answers = {});
