"""Names of people: finding them in a text, and replacing them."""
