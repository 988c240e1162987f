"""Long computations: workers, results kept on disk, progress."""
