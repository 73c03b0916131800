"""Bringing a catalogue up to date over the network: harvests, announcement days, look-ups, and when each is due."""
