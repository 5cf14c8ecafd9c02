"""Parts that more than one game uses, or that follow an outside standard (poker classes, the published shuffle)."""
