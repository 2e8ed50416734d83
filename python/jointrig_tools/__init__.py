"""Modules of jointrig that other programs load; nothing here imports the package jointrig before it is needed."""
