"""Figures, the claims of section 6, convergence and run times."""
