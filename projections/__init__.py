"""What people see: pure folds of events into read models, and who may see what."""
