"""Which bodies touch, or will within the step: broad phase, narrow phase, warm-start keys."""
