"""What trains the two taggers that ship, so that their weights can be made again."""
