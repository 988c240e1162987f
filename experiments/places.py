"""Where the data, the printed tables and the results are."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SHIFTCUT_SHARED") or ROOT.parent / "shared")
UCI = SHARED / "data" / "uci"
NEWS = SHARED / "data" / "text" / "news_tfidf.npz"
PRINTED = SHARED / "paper" / "tables.json"
OUT = ROOT / "out" / "paper"
