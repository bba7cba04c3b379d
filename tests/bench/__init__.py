"""`make bench`: what our paths cost beside what the machine itself costs and beside peers, in one run.

Not collected by pytest: timings are no tests. A bench is a function of `Plan` that gives rows; `benches.py` lists them.
Floor, subject and peer are interleaved A B C, A B C ... at the same pace; a row's figure is the median of the ratios of
the repetitions, with the smallest and the largest.
"""
