"""One sentence a code, for every interface: pages, API, files and commands ask here."""
