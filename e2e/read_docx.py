"""What a reader of DOCX that is none of ours finds in one: title, language, style and text of each paragraph, as
JSON. A process of its own, because its packages lie beside the project: python read_docx.py FILE."""

from __future__ import annotations

import importlib
import json
import sys

document = importlib.import_module("docx").Document(sys.argv[1])
told = {
    "title": document.core_properties.title,
    "language": document.core_properties.language,
    "paragraphs": [[one.style.name, one.text] for one in document.paragraphs],
}
sys.stdout.write(json.dumps(told))
