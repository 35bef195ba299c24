"""What is printed on paper: the mat, its tags and a deck of our own, as PDF at true size with its fonts embedded."""
