"""What a model may do on the draft sheet, one file per family."""
