"""The pages of learners: one module a page, named after it."""
