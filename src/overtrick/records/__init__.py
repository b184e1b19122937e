"""Records of deals: one JSON object a deal, or a text for people; both read back to the same.

A record tells what was dealt, chosen and won, and what was around it. `Record.deal` replays it and
believes nothing: cards, choices, seats, phases and result are checked against the rules.
"""

from __future__ import annotations

from overtrick.records.files import each_record, read_records, write_records
from overtrick.records.parts import Analysis, Chosen, Result, Seated, Weighed
from overtrick.records.record import Record, record_of
from overtrick.records.text_reader import from_text
from overtrick.records.text_writer import to_text

__all__ = [
    "Analysis",
    "Chosen",
    "Record",
    "Result",
    "Seated",
    "Weighed",
    "each_record",
    "from_text",
    "read_records",
    "record_of",
    "to_text",
    "write_records",
]
