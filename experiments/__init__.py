"""The paper's tables and figures, recomputed: `make paper`, or `python -m experiments`."""
