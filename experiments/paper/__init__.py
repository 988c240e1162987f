"""The tables and figures of the paper, printed beside ours."""
