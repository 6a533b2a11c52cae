"""How the shipped data and weights are made; lessons never import this."""
