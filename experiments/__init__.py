"""The paper's tables and figures beside ours: `make paper`, or `python -m experiments`."""
