"""Handwritten digits: group most of them, then say where the others belong.

1797 images of 8 x 8 pixels. Nobody tells the estimator which digit an image shows.
"""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from shiftcut import ShiftedMinCut, metrics

images, digits = load_digits(return_X_y=True)
train, test, train_digits, test_digits = train_test_split(images, digits, random_state=0)

# Pixels share one scale already, and some are always 0: standardising would blow up noise.
model = ShiftedMinCut(n_clusters=10, scale="none", random_state=0).fit(train)
means = KMeans(n_clusters=10, random_state=0).fit(train)

print(f"{len(train)} images in {model.n_clusters_} clusters of {model.result_['sizes']}")
print(f"agreement with the digits (AMI): {metrics.ami(train_digits, model.labels_):.2f}")
print(f"  of k-means: {metrics.ami(train_digits, means.labels_):.2f}")

# New images, without fitting again.
found = model.predict(test)
print(f"agreement on {len(test)} new images: {metrics.ami(test_digits, found):.2f}")

# Which digit is a cluster? The one most of its training images show.
named = np.array([np.bincount(train_digits[model.labels_ == k]).argmax() for k in np.unique(found)])
right = named[np.searchsorted(np.unique(found), found)] == test_digits
print(f"named after their clusters, {100 * right.mean():.0f}% of the new images are right")
