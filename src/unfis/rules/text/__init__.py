"""Rules and explanations in words: numbers, terms, sentences, and their renderings."""
