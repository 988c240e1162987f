"""The other methods of the paper that Shiftcut comes from, as scikit-learn estimators."""
