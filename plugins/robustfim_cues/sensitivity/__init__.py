"""What gradients say of a choice."""
