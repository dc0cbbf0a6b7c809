"""Classes for those who teach them: the list, the page of one, adding people to it."""
