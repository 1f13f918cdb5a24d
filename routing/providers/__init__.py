"""Decision models behind langchain_core.decisions: one file per provider, a chain with fallbacks, calibration."""
