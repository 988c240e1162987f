// What a call that must fail says.
#pragma once

#include <exception>
#include <string>

namespace shiftcut {

/// The message of the exception that `call` throws; empty if it throws none.
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace shiftcut
