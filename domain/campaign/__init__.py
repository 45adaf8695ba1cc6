"""The table itself: members, sessions, cast, belongings, time, talk."""
