"""Flight logs of ArduPilot for tests: a writer, a strict reader that judges repairs,
and systematic damage.  Shares nothing with salvor."""
