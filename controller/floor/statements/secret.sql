select secret from floor
