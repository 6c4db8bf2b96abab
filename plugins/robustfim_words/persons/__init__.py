"""Finding and replacing the names, gender, age and titles of people in texts."""
