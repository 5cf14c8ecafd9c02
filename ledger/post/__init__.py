"""Sending texts to other programs: Discord's webhooks, the clipboard; and copying the log."""
