"""Shipped fakes: scripted and faulty models, in-memory stores, a manual clock."""
