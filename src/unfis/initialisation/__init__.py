"""Starting parameters from data, and the prior around them."""
