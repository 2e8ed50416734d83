"""What other programs load of jointrig; nothing here imports the package jointrig before it is needed."""
