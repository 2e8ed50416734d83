"""Fields of decoded messages by name."""

import re


def pick(message, field):
    """message.a.b[2] from "a.b[2]"."""
    for word in field.split("."):
        name, *indices = re.split(r"[\[\]]+", word.rstrip("]"))
        message = getattr(message, name)
        for index in indices:
            message = message[int(index)]
    return message
