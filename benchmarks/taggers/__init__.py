"""The training of the two shipped taggers, so that their weights can be made again."""
