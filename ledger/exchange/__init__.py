"""Reading input from elsewhere: match files, CSV, chat exports, another host's copy."""
