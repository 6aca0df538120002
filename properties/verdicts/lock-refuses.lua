return 1000
