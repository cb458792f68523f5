"""Rules in words: numbers, terms, sentences, and their renderings."""
