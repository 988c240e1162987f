"""The paper's data sets, and stand-ins for those that are not public."""
