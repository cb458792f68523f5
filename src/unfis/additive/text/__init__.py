"""Rules as people read them: functions of a RuleModel and the names of its table."""

from unfis.additive.text.explanation import explanation
from unfis.additive.text.listing import listing
from unfis.additive.text.names import Names, names_of
from unfis.additive.text.words import Wording

__all__ = ["Names", "Wording", "explanation", "listing", "names_of"]
