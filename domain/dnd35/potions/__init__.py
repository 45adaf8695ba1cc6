"""Mixology: potions made, carried, poured, shaken, drunk, and what two of them make of each other.

`fixtures` the potions a table starts with · `flask` carrying and pouring (HM-13) · `shaking` mixing in a container
(HM-12.8 to 12.16) · `stomach` mixing by drinking (HM-12.4 to 12.7) · `compatibility` (HM-15) · `mixing` the table, S
and DC (HM-16.1 to 16.5, 17.1) · `blast` (HM-16.6, 16.7) · `poison` (HM-16.8, 16.9) · `outcomes` what each mark does
(HM-16.10 to 16.17) · `drinking` (HM-13.4 to 13.6) · `lore` finding out (HM-17.3).
"""
