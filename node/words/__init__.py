"""What people are told, in words: the same for every face, be it the terminal or a page."""
