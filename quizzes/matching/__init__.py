"""Which question of one list is which of another, in two languages or in one: proposals."""
