"""Whether this computer can be found and can find others, in plain words."""
