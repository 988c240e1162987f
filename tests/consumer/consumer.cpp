// Two groups on a line, found through the installed headers and library.
#include <iostream>
#include <shiftcut/shiftcut.hpp>

int main() {
  shiftcut::Input input;
  input.values = shiftcut::DenseArray::own(std::vector<double>{0, 1, 4, 5}, 4, 1);

  shiftcut::Options options;
  options.similarity.scale = shiftcut::Scale::none;
  options.similarity.kind = shiftcut::Similarity::linear;
  options.search.clusters = 2;
  const shiftcut::Result result = shiftcut::run(input, options);

  std::cout << shiftcut::kVersion << '\n' << shiftcut::labels_csv(result, input);
  const auto& labels = result.labels;
  const bool right = labels.size() == 4 && labels[0] == labels[1] && labels[2] == labels[3] &&
                     labels[0] != labels[2] && result.cost == -64;
  return right ? 0 : 1;
}
