"""Writing items of QTI 1.2: one page an item."""
