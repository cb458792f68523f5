"""Rules as people read them: functions of a RuleModel and the names of its table."""

from unfis.additive.text.listing import listing
from unfis.additive.text.words import Names, condition_words, rule_words

__all__ = ["Names", "condition_words", "listing", "rule_words"]
