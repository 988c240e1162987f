// Files of labels, and what describe() tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/temp_file.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ReadLabels, a_table_gives_its_columns_label_and_id) {
  const TempFile file(".csv", "id,other,label\na,1,x\n\"b,c\",2,y\n");
  const LabelFile labels = read_labels(file.path());
  EXPECT_THAT(labels.ids, ElementsAre("a", "b,c"));
  EXPECT_THAT(labels.labels, ElementsAre("x", "y"));
}

TEST(ReadLabels, a_column_label_alone_has_no_ids) {
  const TempFile file(".csv.gz", gzipped("label\n0\n1\n"));
  const LabelFile labels = read_labels(file.path());
  EXPECT_THAT(labels.ids, IsEmpty());
  EXPECT_THAT(labels.labels, ElementsAre("0", "1"));
}

TEST(ReadLabels, one_label_a_line_needs_no_header) {
  const TempFile file(".txt", "3\n3\nspam\n\n");
  EXPECT_THAT(read_labels(file.path()).labels, ElementsAre("3", "3", "spam"));
}

TEST(ReadLabels, a_header_over_one_column_is_noted_for_it_may_be_a_label) {
  const TempFile file(".txt", "label\na\nb\n");
  const LabelFile labels = read_labels(file.path());
  EXPECT_THAT(labels.labels, ElementsAre("a", "b"));
  EXPECT_THAT(render(labels.notes),
              ElementsAre(HasSubstr("line 1 ('label') was treated as a header")));
  const TempFile both(".txt", "label\na\nlabel\n");
  EXPECT_THAT(message_of([&] { read_labels(both.path()); }),
              HasSubstr("line 3: found 'label', as in the first line"));
  const TempFile table(".csv", "id,label\n1,label\n");
  EXPECT_THAT(render(read_labels(table.path()).notes), IsEmpty());
}

TEST(ReadLabels, the_delimiter_is_the_one_of_the_header_or_given) {
  const TempFile file(".csv", "id;label\n1;a,b\n2;c\n");
  EXPECT_THAT(read_labels(file.path()).labels, ElementsAre("a,b", "c"));
  const TempFile other(".csv", "id:label\n1:a\n2:c\n");
  EXPECT_THAT(read_labels(other.path(), ':').labels, ElementsAre("a", "c"));
  const TempFile one(".txt", "a;b\nc;d\n");
  EXPECT_THAT(read_labels(one.path()).labels, ElementsAre("a;b", "c;d"));
}

TEST(Describe, shows_nothing_a_terminal_would_obey) {
  const TempFile file(".csv", "a\x1b[31m,b\xC2\x9B,\xFF,\n1,2,3,\n1,?,3,\n1,2,3,x\x1b\n");
  const std::string text = describe(read_input(file.path()));
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos) << text;
  EXPECT_EQ(text.find('\xFF'), std::string::npos) << text;
}

TEST(Describe, tells_objects_features_classes_and_notes) {
  const TempFile file(".csv", "x,y,class\n1,?,cat\n2,3,dog\n4,5,cat\n");
  ReadOptions options;
  options.label_column = "class";
  const std::string text = describe(read_input(file.path(), options));
  EXPECT_THAT(text, HasSubstr("objects:  3\n"));
  EXPECT_THAT(text, HasSubstr("3 x 2, dense float64"));
  EXPECT_THAT(text, HasSubstr("2: 'x', 'y'"));
  EXPECT_THAT(text, HasSubstr("2: 'cat' (2), 'dog' (1)"));
  EXPECT_THAT(text, HasSubstr("column 'y': 1 missing cell filled with the median 4"));
}

TEST(Describe, counts_edges_once) {
  const TempFile file(".edges", "a b\nb c\nc c\n");
  EXPECT_THAT(describe(read_input(file.path())), HasSubstr("edges:    2 and 1 self loops\n"));
}

}  // namespace
}  // namespace shiftcut
