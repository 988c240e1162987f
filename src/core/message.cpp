// Messages to text: see include/shiftcut/message.hpp.
#include "shiftcut/message.hpp"

#include <cassert>
#include <utility>

namespace shiftcut {

std::string plain_name(std::string_view parameter, std::string_view value) {
  std::string name(parameter);
  if (!value.empty()) {
    name.append("=").append(value);
  }
  return name;
}

std::string render(const Message& message, Naming naming) {
  std::string out;
  std::size_t fact = 0;
  for (std::string_view rest = message.text; !rest.empty();) {
    const std::size_t open = rest.find('{');
    out += rest.substr(0, open);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) {  // of a text that marks nothing
      out += rest.substr(open);
      break;
    }
    const std::string_view marked = rest.substr(open + 1, close - open - 1);
    if (marked.empty()) {
      assert(fact < message.facts.size());
      out += fact < message.facts.size() ? message.facts[fact++] : "{}";
    } else {
      const std::size_t equals = marked.find('=');
      out += naming(marked.substr(0, equals),
                    equals == std::string_view::npos ? "" : marked.substr(equals + 1));
    }
    rest.remove_prefix(close + 1);
  }
  return out;
}

std::vector<std::string> render(const std::vector<Message>& messages, Naming naming) {
  std::vector<std::string> out;
  out.reserve(messages.size());
  for (const Message& message : messages) {
    out.push_back(render(message, naming));
  }
  return out;
}

Message after(std::string_view what, Message message) {
  message.text.insert(0, "{}: ");
  message.facts.emplace(message.facts.begin(), what);
  return message;
}

std::string render(const std::exception& error, Naming naming) {
  const auto* explained = dynamic_cast<const Explained*>(&error);
  return explained != nullptr ? render(explained->message(), naming) : std::string(error.what());
}

}  // namespace shiftcut
