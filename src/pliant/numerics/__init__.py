"""Mathematics without a robot: spatial and linear algebra, filters, QP, profiles, kernels."""
