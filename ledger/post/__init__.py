"""What leaves for other programs: Discord's webhooks, the clipboard."""
