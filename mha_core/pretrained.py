"""Save and load what is shipped, and let a trained model pronounce a word."""
