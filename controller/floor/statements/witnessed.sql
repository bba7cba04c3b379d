select size, hashes, note from witnessed where witness = %(witness)s and log = %(log)s
