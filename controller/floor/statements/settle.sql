select settle_pool(%(pool)s)
