"""Bytes of a file become its text, in whatever encoding, or are refused."""

from __future__ import annotations

import codecs
import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.decode import decode
from values import InputError

ENGLISH = "# Naïve café\n\n¿Qué? — “quoted”, ¾ of it.\n"
CHINESE = "# 维护说明\n\n每天早上打开阀门，检查水泵的压力，然后记录在表格里。晚上关闭所有的设备。\n" * 3
RUSSIAN = "# Руководство\n\nОткройте клапан и проверьте давление насоса, затем запишите его.\n" * 3
JAPANESE = "# 手引き\n\n毎朝バルブを開けて、ポンプの圧力を確認してください。\n" * 3


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, RUSSIAN, JAPANESE, "plain"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_utf_with_and_without_a_mark(text: str, mark: bytes, encoding: str) -> None:
    assert decode(mark + text.encode(encoding)) == text


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, RUSSIAN])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        ("# 維護說明\n\n每天早上打開閥門，檢查水泵的壓力，然後記錄在表格裡。\n" * 3, "big5"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        ("Les élèves étaient déjà arrivés à l'école où ils s'étaient donné rendez-vous.\n" * 3, "cp1252"),
        ("Die Prüfung läuft über Nacht. Größere Störungen bitte dem Büro melden.\n" * 2, "cp1252"),
        ("El niño comió la piña mañana; ¿dónde está el jardín?\n", "cp1252"),
        ("Zażółć gęślą jaźń. Każdy uczeń powinien mieć własną książkę.\n" * 2, "cp1250"),
        ("Işıklar söndü; çocuklar güneşin doğuşunu bekliyordu. Şehir uyanıyor.\n" * 2, "cp1254"),
    ],
)
def test_older_encodings_are_found(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n1 0 obj",
        b"PK\x03\x04word/document.xml",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0JFIF",
        b"GIF89a",
        b"\x1f\x8b\x08",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        bytes(range(256)) * 20,
        b"\0" * 100,
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + bytes(range(200)),
        b"\xff\xfe" + b"\x00\xd8" * 5,
    ],
)
def test_what_is_no_text_is_refused_with_the_way_out(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^input_file is .*Document Extractor node"):
        decode(data)


def test_the_refusal_does_not_quote_the_file() -> None:
    with pytest.raises(InputError) as refused:
        decode(b"%PDF-1.7 secret words")
    assert "secret" not in str(refused.value)


def test_a_few_nul_bytes_and_escapes_are_still_text() -> None:
    text = "# Log\n\n" + "a line of the log\n" * 200 + "\x1b[31mred\x1b[0m and one \0 here\n"
    for longer in (text, text + "."):  # an even and an odd number of bytes
        assert decode(longer.encode()) == longer


def test_a_large_file_in_an_old_encoding_is_read_whole() -> None:
    text = RUSSIAN * 5000
    assert decode(text.encode("cp1251")) == text


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_text_in_utf8_survives(text: str) -> None:
    assert decode(text.encode()) == text.removeprefix("\ufeff")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_refusal(data: bytes) -> None:
    with contextlib.suppress(InputError):
        decode(data).encode()
