"""Domain values to the ordered segments that a model is sent; pure."""
