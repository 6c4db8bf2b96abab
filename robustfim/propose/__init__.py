"""Which texts are tested: edits into candidates, through constraints, with an account of every one."""
