"""Fingerprints of short scenes: hashes of their results, so that no changed bit is missed."""
