"""Rules as people read them: functions of a RuleModel and the names of its table."""

from unfis.text.explanation import explanation
from unfis.text.listing import listing
from unfis.text.names import Names, names_of
from unfis.text.words import Wording

__all__ = ["Names", "Wording", "explanation", "listing", "names_of"]
