#include <string_view>

#include "commands.hpp"
#include "parse.hpp"

namespace {

// "A,B" -> A, B; a name that holds a comma is put in double quotes.
std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names;
  std::string name;
  bool quoted = false;
  for (const char c : list) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      names.push_back(std::move(name));
      name.clear();
    } else {
      name += c;
    }
  }
  if (!list.empty()) {
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

char delimiter_of(const std::string& text) {
  if (text.empty()) {
    return '\0';
  }
  if (text == "tab" || text == "\\t" || text == "\t") {
    return '\t';
  }
  constexpr std::string_view kAllowed = ",;|:!#$%&*/@^_~";
  if (text.size() != 1 || kAllowed.find(text[0]) == std::string_view::npos) {
    refuse("--delimiter", text, "one character such as , ; | or :, or the word tab");
  }
  return text[0];
}

void ReadArguments::add_to(Command& command) {
  command.add_required(
      "INPUT", path,
      "CSV, TSV, NPY, MTX or edge list, also gzipped; Parquet, Arrow or Feather (through "
      "Python with pyarrow); - for standard input");
  command.add_option("--format", format,
                     "Format of INPUT: " + shiftcut::list_words<shiftcut::Format>() +
                         " (auto: by the extension of its name)");
  command.add_option("--as", as,
                     "What INPUT holds: " + shiftcut::list_words<shiftcut::ShapeChoice>() +
                         " (auto: by its format)");
  command.add_option("--label-column", label_column,
                     "Column of known classes, held out and scored against");
  command.add_option("--weight-column", weight_column,
                     "Column of row weights, held out: a row of weight 2 counts as two equal rows");
  command.add_option("--drop", drop, "Columns to ignore: A,B");
  command.add_option("--categorical", categorical, "Columns of numbers that are codes: A,B");
  command.add_flag("--no-header", no_header,
                   "The first line of the table holds values, not column names");
  command.add_option("--delimiter", delimiter,
                     "Delimiter between the cells of a table: , ; | tab or another (detected from "
                     "the first lines)");
}

shiftcut::ReadOptions ReadArguments::options() const {
  shiftcut::ReadOptions options;
  options.format = choice<shiftcut::Format>("--format", format);
  options.shape = choice<shiftcut::ShapeChoice>("--as", as);
  options.label_column = label_column;
  options.weight_column = weight_column;
  options.drop = split_names(drop);
  options.categorical = split_names(categorical);
  options.header = !no_header;
  options.delimiter = delimiter_of(delimiter);
  return options;
}
