"""Writing items of QTI 2 and 3: one page an item, spelled as QTI 2 until it is handed out."""
