"""What QTI 2 and QTI 3 share: the same items under two spellings."""
