"""Predictions taken apart: attribution, counterfactuals, neighbours."""
