"""The shipped firmware in an emulated chip."""
