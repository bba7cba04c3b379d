"""What must be true before an act is allowed: named statements, one file a subject."""
