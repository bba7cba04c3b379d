"""The kernel between devices, people and journal. Sans-IO; one rule decides when an output may leave."""
