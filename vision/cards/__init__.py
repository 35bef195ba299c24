"""From one column of the table to its cards, with likelihoods."""
