"""Trains Kosumi's nets on a GPU: from game records, then by self-play. Start it with `run`."""
