"""How pictures are drawn: what stays is drawn once, the data over it many times."""
