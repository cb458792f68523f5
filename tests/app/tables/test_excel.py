"""Excel files from anybody: bounded, and refused in a sentence where they are damaged."""

import io
import re
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from unfis.app.tables import TableError, excel, read_table

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("defusedxml")

SHEET, WORKBOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
STRINGS, STYLES, TYPES = "xl/sharedStrings.xml", "xl/styles.xml", "[Content_Types].xml"
FRAME = pd.DataFrame({"a": [1.5, 2.5, np.nan], "b": ["x", "y", "z"], "c": [True, False, True]})
NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LAUGHS = [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
BOMB = f'<!DOCTYPE lolz [<!ENTITY l0 "lol">{"".join(LAUGHS)}]>'


@pytest.fixture(scope="module")
def parts():
    """The parts of a sound file, by name."""
    file = io.BytesIO()
    FRAME.to_excel(file, index=False)
    with zipfile.ZipFile(file) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    # pandas writes text into the cells; Excel writes it here.
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    entry = b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + kind + b'"/></Types>'
    found[TYPES] = found[TYPES].replace(b"</Types>", entry)
    found[STRINGS] = f'<sst xmlns="{NAMESPACE}"><si><t>text</t></si></sst>'.encode()
    return found


def packed(parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet_of(rows):
    names = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in "ab")
    return (
        f'<worksheet xmlns="{NAMESPACE}"><dimension ref="A1:B2"/><sheetData>'
        f'<row r="1">{names}</row>{rows}</sheetData></worksheet>'
    )


def refused(folder, data):
    path = folder / "t.xlsx"
    path.write_bytes(data)
    with pytest.raises(TableError, match=r"^t\.xlsx") as caught:
        read_table(path)
    assert len(str(caught.value)) < 400
    return str(caught.value)


def test_a_sound_file_is_read_whatever_it_is_called(tmp_path, parts):
    path = tmp_path / "table.csv"
    path.write_bytes(packed(parts))
    pd.testing.assert_frame_equal(read_table(path).frame, FRAME, check_dtype=False)


@pytest.mark.parametrize("part", [SHEET, WORKBOOK, STRINGS, STYLES, TYPES])
def test_entities_that_would_fill_the_memory_are_not_expanded(tmp_path, parts, part):
    text = parts[part].decode()
    start = re.search(r"<(?!\?)", text).start()
    inside = re.sub(r"(>)([^<>]*)(</)", r"\1&l9;\3", text[start:], count=1)
    data = packed({**parts, part: f"{text[:start]}{BOMB}{inside}"})
    assert "EntitiesForbidden" in refused(tmp_path, data)


def test_a_small_file_that_unpacks_to_a_large_one_is_not_unpacked(tmp_path, parts):
    sheet = sheet_of("").replace("</sheetData>", " " * 64_000_000 + "</sheetData>")
    data = packed({**parts, SHEET: sheet})
    assert len(data) < 100_000
    message = refused(tmp_path, data)
    assert re.search(r"would unpack from 6\d,\d{3} to 64,\d{3},\d{3} bytes", message), message


def test_a_cell_far_away_is_no_table_that_fills_the_memory(tmp_path, parts):
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    message = refused(tmp_path, packed({**parts, SHEET: sheet_of(far)}))
    assert message == "t.xlsx, row 1: column 3 has no name; give it one."
    beyond = '<row r="99999999999"><c r="A1"><v>1</v></c></row>'
    message = refused(tmp_path, packed({**parts, SHEET: sheet_of(beyond)}))
    assert "more than 1,048,576 rows of 2 cells" in message


def test_more_cells_than_are_kept_are_refused(tmp_path, parts, monkeypatch):
    monkeypatch.setattr(excel, "MOST_CELLS", 6)
    assert "more than 2 rows of 3 cells" in refused(tmp_path, packed(parts))


def test_what_a_file_says_of_its_size_need_not_be_true(tmp_path, parts):
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(2, 8))
    path = tmp_path / "t.xlsx"
    path.write_bytes(packed({**parts, SHEET: sheet_of(rows)}))
    assert read_table(path).frame["a"].tolist() == [2, 3, 4, 5, 6, 7]


def flipped(data, generator, count):
    damaged = bytearray(data)
    for place in generator.randint(len(data), size=count):
        damaged[place] ^= 1 << generator.randint(8)
    return bytes(damaged)


def exchanged(content, generator):
    """A number in the text of a part exchanged for one that cannot be."""
    numbers = list(re.finditer(rb"\d+", content))
    if not numbers:
        return content
    found = numbers[generator.randint(len(numbers))]
    other = [b"99999999999", b"-1", b"x", b"1e400", b""][generator.randint(5)]
    return content[: found.start()] + other + content[found.end() :]


DAMAGES = {
    "cut": lambda parts, part, random: packed(parts)[: random.randint(4, len(packed(parts)))],
    "flipped": lambda parts, part, random: flipped(packed(parts), random, random.randint(1, 20)),
    "part left out": lambda parts, part, random: packed(
        {name: content for name, content in parts.items() if name != part}
    ),
    "part cut": lambda parts, part, random: packed(
        {**parts, part: parts[part][: random.randint(len(parts[part]))]}
    ),
    "part flipped": lambda parts, part, random: packed(
        {**parts, part: flipped(parts[part], random, 3)}
    ),
    "number exchanged": lambda parts, part, random: packed(
        {**parts, part: exchanged(parts[part], random)}
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_ends_in_a_sentence(tmp_path, parts, damage):
    generator = np.random.RandomState(0)
    path, told = tmp_path / "t.xlsx", []
    for _ in range(60):
        part = list(parts)[generator.randint(len(parts))]
        path.write_bytes(DAMAGES[damage](parts, part, generator))
        try:
            read_table(path)
        except TableError as error:
            told.append(str(error))
    assert len(told) > 5
    assert all(words.startswith("t.xlsx") and len(words) < 400 for words in told)


def test_other_archives(tmp_path, parts):
    assert "is damaged, or no Excel file" in refused(tmp_path, packed({"readme.txt": "hello"}))
    word = parts[TYPES].replace(b"spreadsheetml.sheet.main", b"wordprocessingml.document.main")
    assert "is damaged, or no Excel file" in refused(tmp_path, packed({**parts, TYPES: word}))


def test_names_without_rows_and_nothing(tmp_path, parts):
    assert "no rows" in refused(tmp_path, packed({**parts, SHEET: sheet_of("")}))
    nothing = re.sub(r"<row.*</row>", "", sheet_of(""))
    assert "is empty" in refused(tmp_path, packed({**parts, SHEET: nothing}))


def test_it_is_not_read_without_care(tmp_path, parts, monkeypatch):
    data = packed(parts)
    monkeypatch.setattr(openpyxl, "DEFUSEDXML", False)
    assert "OPENPYXL_DEFUSEDXML must not switch it off" in refused(tmp_path, data)
    monkeypatch.setitem(sys.modules, "defusedxml", None)
    message = refused(tmp_path, data)
    assert message == "t.xlsx is Excel, which needs defusedxml: pip install 'unfis[app]'."
