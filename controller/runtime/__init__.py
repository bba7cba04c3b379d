"""The kernel between devices, people and journal: sans-IO, and one rule of what leaves when."""
