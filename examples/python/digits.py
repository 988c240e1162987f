"""Handwritten digits: cluster most of them, then assign the rest.

There are 1797 images of 8 x 8 pixels. The estimator does not see which digit an image shows.
"""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from shiftcut import ShiftedMinCut, metrics

images, digits = load_digits(return_X_y=True)
train, test, train_digits, test_digits = train_test_split(images, digits, random_state=0)

# Pixels already share one scale, and some are always 0: standardising would amplify noise.
model = ShiftedMinCut(n_clusters=10, scale="none", random_state=0).fit(train)
means = KMeans(n_clusters=10, random_state=0).fit(train)

print(f"{len(train)} images in {model.n_clusters_} clusters of {model.result_['sizes']}")
print(f"agreement with the digits (AMI): {metrics.ami(train_digits, model.labels_):.2f}")
print(f"  for k-means: {metrics.ami(train_digits, means.labels_):.2f}")

# Assign new images without refitting.
found = model.predict(test)
print(f"agreement on {len(test)} new images: {metrics.ami(test_digits, found):.2f}")

# Name each cluster after the digit that most of its training images show.
named = np.array([np.bincount(train_digits[model.labels_ == k]).argmax() for k in np.unique(found)])
right = named[np.searchsorted(np.unique(found), found)] == test_digits
print(f"{100 * right.mean():.0f}% of the new images are in a cluster named after their digit")
