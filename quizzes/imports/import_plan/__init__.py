"""From a parsed file and what a bank holds to what would be done, before anything is. Pure."""
