"""`make bench`: the cost of our paths beside the machine's own cost (the floor) and beside peers, in one run.

pytest does not collect it, since timings are no tests. A bench is a function of `Plan` that gives rows; `benches.py`
lists them. The runs of floor, subject and peer alternate, A B C, A B C ..., at the same pace. A row's figure is the
median of the ratios of the repetitions, with the smallest and the largest.
"""
