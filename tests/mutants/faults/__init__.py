"""All faults: those every course warns of, then at least two for each module."""

from . import (
    charts,
    classic,
    drawing,
    evidence,
    exercises,
    explorers,
    formulas,
    languages,
    lessons,
    models,
    panels,
    recipes,
    views,
)

FAULTS = [
    *classic.FAULTS,
    *formulas.FAULTS,
    *models.FAULTS,
    *recipes.FAULTS,
    *drawing.FAULTS,
    *panels.FAULTS,
    *charts.FAULTS,
    *views.FAULTS,
    *lessons.FAULTS,
    *explorers.FAULTS,
    *evidence.FAULTS,
    *exercises.FAULTS,
    *languages.FAULTS,
]
