"""What comes from elsewhere: match files, CSV, chat exports, another host's copy."""
