"""AMI against the number of answered questions: `make answers`, or `python -m experiments.answers`.

A simulated person is asked whether pairs of objects belong together, and answers by the true
classes. Our method uses `shiftcut.Feedback`; the peers are PCK-means, COP-k-means and COBRAS, on
random pairs and on pairs of their own choice.
"""
