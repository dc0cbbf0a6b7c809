"""Files of strangers are read in a process of their own, which has neither Django nor secrets."""
