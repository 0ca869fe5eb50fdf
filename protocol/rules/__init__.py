"""The judge's rules (§7), one module a stage of the deal.

Each ``judge_…`` function looks at one event in the light of its causal past alone. It raises a
:class:`~protocol.errors.Fault` and changes nothing, or it records what the event has established.
"""
