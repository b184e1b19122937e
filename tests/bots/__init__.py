"""Programs in any language as players: the protocol, the faults, the checks, the examples."""
