"""What builds the notebooks, one file for each part of the work.

``sources`` reads a lesson, ``passages`` looks into its texts, ``pairs`` compares a
passage with its translation, ``links`` finds where links lead, ``editions`` makes a
notebook in one language, ``running`` runs it, ``pictures`` compares pictures.
``threads`` needs no package, since every run of the tests reads it.
"""
