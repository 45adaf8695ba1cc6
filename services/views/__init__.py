"""What people see, kept beside the log: rows of views, and how far each view has read."""
