"""The program on a fresh data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.cli.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program without a model; a test that needs one names its endpoint."""
    return Program(tmp_path)
