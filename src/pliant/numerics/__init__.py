"""Robot-independent mathematics: spatial and linear algebra, filters, QP, profiles, kernels."""
