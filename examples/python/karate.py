"""A graph: who stays with whom when a karate club splits up.

There are 34 members and 78 friendships (W. W. Zachary, 1977). The shift sets how dense a cluster
must be.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from shiftcut import ShiftedMinCut, metrics

pairs = np.loadtxt(Path(__file__).parent.parent / "karate.edges", dtype=int)
friends = sparse.coo_array((np.ones(len(pairs)), pairs.T), shape=(34, 34))
friends = (friends + friends.T).tocsr()

# The members who followed the teacher; the others went with the club's president.
teacher = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21]
followed = np.isin(np.arange(34), teacher)

model = ShiftedMinCut(n_clusters=2, similarity="precomputed", shift="adaptive", random_state=0).fit(
    friends
)
print(f"two clusters of {model.result_['sizes']}, AMI {metrics.ami(followed, model.labels_):.2f}")

# Without a number of clusters the shift decides: a larger shift requires denser clusters.
for shift in (0.05, 0.2, 0.5, 1.1):
    free = ShiftedMinCut(similarity="precomputed", shift=shift, random_state=0).fit(friends)
    print(f"shift {shift}: {free.n_clusters_} clusters, the largest of {free.result_['sizes'][0]}")
