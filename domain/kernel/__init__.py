"""Ideas every system shares; no rule of any book lives here."""
