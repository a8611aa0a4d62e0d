"""Manuscripts as files on disk: chapters, objects, journal; apart as they are one port in several parts."""
