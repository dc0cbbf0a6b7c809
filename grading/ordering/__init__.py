"""What comes after what: reading, showing and marking an order of items."""
