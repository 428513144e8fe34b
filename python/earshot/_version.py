"""The package's version, that of the program it is made with (the file VERSION of Earshot)."""
VERSION = "0.1.0"
