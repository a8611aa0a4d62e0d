"""The parts of card reading and writing; `huaben.formats.card` is the door."""
