"""The paper's experiments again, and this project beside what people use instead."""
