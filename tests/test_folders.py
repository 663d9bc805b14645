"""Whole folders: which files, one output however it is made, bad files, and going on after a stop."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from markdown_chunker import Chunk, ChunkConfig, chunk_markdown, folder_command
from markdown_chunker.cli import main
from markdown_chunker.finding import find
from markdown_chunker.folders import chunk_folders
from markdown_chunker.journal import Journal
from markdown_chunker.parquet import read_parquet

ROOT = Path(__file__).parents[1]
CORPUS = Path(os.environ.get("MARKDOWN_CHUNKER_SHARED", ROOT.parent / "shared")) / "corpus"
TEXT = "# Übersicht\n\nErster Absatz.\n\n## Teil\n\n```py\nx = 1\n```\n\n你好。\n"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def many(folder: Path, count: int) -> Path:
    return write(folder, {f"{i % 7}/{i:03}.md": f"# Document {i}\n\n{TEXT * (i % 5)}" for i in range(count)})


def rows(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.read_text(encoding="utf-8").split("\n")[:-1]]


def command(*arguments: str | Path) -> int | str | None:
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as exit_:
        return exit_.code


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# --- which files -----------------------------------------------------------------------------------------


def names(top: Path, include: tuple[str, ...] = ()) -> list[str]:
    return [path.relative_to(top).as_posix() for path in find([top], include)]


def test_markdown_below_a_folder_in_order(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["b/2.md", "b/10.md", "a.MD", "b.md", "c/d/e.mdx", "x.markdown", "x.txt", "md"], "x"))
    assert names(tmp_path) == ["a.MD", "b/10.md", "b/2.md", "b.md", "c/d/e.mdx", "x.markdown"]


def test_patterns_choose(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["a.md", "docs/a.md", "docs/x/b.md", "docs/c.txt"], "x"))
    assert names(tmp_path, ("/docs/**/*.md",)) == ["docs/a.md", "docs/x/b.md"]
    assert names(tmp_path, ("*.txt", "/a.md")) == ["a.md", "docs/c.txt"]
    assert names(tmp_path, ("*.md", "!docs/x/**")) == ["a.md", "docs/a.md"]


def test_gitignore_as_git_reads_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.tmp.md\n/top.md\n",
            "docs/.gitignore": "!kept.tmp.md\ndraft*\n",
            "docs/deep/.gitignore": "!draft2.md\n",
            **dict.fromkeys(
                [
                    *("build/a.md", "docs/build/b.md", "top.md", "docs/top.md", "x.tmp.md", "docs/kept.tmp.md"),
                    *("docs/draft1.md", "docs/deep/draft2.md", "draft3.md", ".git/x.md", ".github/y.md"),
                ],
                "x",
            ),
        },
    )
    expected = [".github/y.md", "docs/deep/draft2.md", "docs/kept.tmp.md", "docs/top.md", "draft3.md"]
    assert names(tmp_path) == expected
    (tmp_path / ".git/x.md").unlink()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert sorted(listed) == sorted(expected)


def test_gitignore_of_the_repository_above(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "/in/docs/no.md\n", "in/docs/no.md": "x", "in/docs/yes.md": "x"})
    assert names(tmp_path / "in/docs") == ["no.md", "yes.md"]  # no repository: what is above does not speak
    (tmp_path / ".git").mkdir()
    assert names(tmp_path / "in/docs") == ["yes.md"]


def test_a_file_that_is_named_is_taken_and_none_twice(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.md", "a.md": "x", "b.txt": "x"})
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    found = find([tmp_path / "b.txt", tmp_path, tmp_path / "a.md", tmp_path / "link.txt", tmp_path / "a.md"])
    assert [path.name for path in found] == ["b.txt", "a.md"]


def test_links_and_pipes(tmp_path: Path) -> None:
    write(tmp_path, {"real/a.md": "x"})
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert names(tmp_path) == ["gone.md", "real/a.md"]


# --- the output ------------------------------------------------------------------------------------------


def test_rows_are_the_chunks_of_each_file(tmp_path: Path) -> None:
    write(tmp_path / "in", {"b.md": TEXT, "a/x.md": "", "a/y.md": "\ufeffone\r\ntwo"})
    assert command(tmp_path / "in", "-o", tmp_path / "out.jsonl", "--max-chunk-size", 40) == 0
    found = rows(tmp_path / "out.jsonl")
    config = ChunkConfig(max_chunk_size=40)
    expected = [("a/y.md", chunk) for chunk in chunk_markdown("one\ntwo", config)]
    expected += [("b.md", chunk) for chunk in chunk_markdown(TEXT, config)]
    assert [(row["source"], Chunk.from_dict(row)) for row in found] == [
        ((tmp_path / "in" / name).as_posix(), chunk) for name, chunk in expected
    ]
    assert list(found[0]) == ["source", "source_hash", *expected[0][1].to_dict()]
    assert left_in(tmp_path) == {"in", "out.jsonl"}


def test_without_metadata(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": TEXT})
    assert command(tmp_path / "a.md", "-o", tmp_path / "out.jsonl", "--no-metadata") == 0
    [row] = rows(tmp_path / "out.jsonl")
    assert list(row) == ["source", "source_hash", "content"]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_any_number_of_jobs_gives_the_same(tmp_path: Path, suffix: str) -> None:
    many(tmp_path / "in", 60)
    outputs = []
    for jobs in ("1", "2", "3"):
        outputs.append(tmp_path / f"{jobs}.{suffix}")
        assert command(tmp_path / "in", "-o", outputs[-1], "--jobs", jobs) == 0
    first, *others = [output.read_bytes() for output in outputs]
    assert all(other == first for other in others)


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    many(tmp_path / "in", 20)
    for suffix in ("jsonl", "parquet"):
        assert command(tmp_path / "in", "-o", tmp_path / f"out.{suffix}", "--chunk-overlap", "50") == 0
    expected = rows(tmp_path / "out.jsonl")
    assert list(read_parquet(tmp_path / "out.parquet")) == expected
    table = pq.read_table(tmp_path / "out.parquet")
    for name in ("chunk_id", "header_path", "content_type"):
        assert table[name].to_pylist() == [row["metadata"][name] for row in expected]
    assert command(tmp_path / "in", "-o", tmp_path / "bare.parquet", "--no-metadata") == 0
    assert next(list(row) for row in read_parquet(tmp_path / "bare.parquet")) == ["source", "source_hash", "content"]


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpus at hand")
def test_the_corpus_by_one_and_by_two(tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        assert command(CORPUS, "-o", tmp_path / f"{jobs}.jsonl", "--jobs", jobs) == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert len({row["source"] for row in rows(tmp_path / "1.jsonl")}) > 800


# --- what goes wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_bad_files_do_not_stop_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    many(tmp_path / "in", 20)
    write(tmp_path / "in", {"0/bad.md": "Füße".encode("latin-1")})
    (tmp_path / "in/3/gone.md").symlink_to("nowhere")
    assert command(tmp_path / "in", tmp_path / "missing.md", "-o", tmp_path / "out.jsonl", "--jobs", jobs) == 1
    assert len({row["source"] for row in rows(tmp_path / "out.jsonl")}) == 20
    *failed, summary = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1] for line in failed] == [
        f"cannot chunk {tmp_path / name}" for name in ("in/0/bad.md", "in/3/gone.md", "missing.md")
    ]
    assert "utf-8" in failed[0]
    assert ": 20 files, " in summary
    assert ", 3 failed: " in summary


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.md", "b.md"], "several FILEs need -o OUTPUT"),
        (["a.md", "--jobs", "2"], "--jobs goes with -o OUTPUT"),
        (["a.md", "--resume"], "--resume goes with -o OUTPUT"),
        (["a.md", "-o", "x.csv"], "OUTPUT must end in .jsonl or .parquet; got 'x.csv'"),
        (["a.md", "-o", "x.jsonl", "--format", "json"], "--format does not go with -o"),
        (["-", "-o", "x.jsonl"], "standard input does not go with -o"),
        (["a.md", "-o", "x.jsonl", "--jobs", "0"], "--jobs must be 1 or more; got 0"),
    ],
)
def test_bad_options(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert command(*arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("missing", "output", "said"),
    [
        ({"pathspec", "tqdm"}, "x.jsonl", 'folders need more: pip install "pathspec>=1,<2" "tqdm>=4.66,<5"'),
        ({"pyarrow"}, "x.parquet", 'Parquet needs more: pip install "pyarrow>=17,<30"'),
        ({"pyarrow"}, "x.jsonl", ""),
    ],
)
def test_what_to_install(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    missing: set[str],
    output: str,
    said: str,
) -> None:
    monkeypatch.setattr(folder_command, "find_spec", lambda name: None if name in missing else object())
    write(tmp_path, {"a.md": TEXT})
    assert command(tmp_path / "a.md", "-o", tmp_path / output) == (2 if said else 0)
    assert said in capsys.readouterr().err


def test_what_to_install_is_what_the_extras_name() -> None:
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"{package}"' in declared for _, package in folder_command.EXTRAS.values())


def test_an_output_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a.md": TEXT})
    assert command(tmp_path / "a.md", "-o", tmp_path / "no/out.jsonl") == 1
    assert capsys.readouterr().err.startswith(f"markdown_chunker: cannot write {tmp_path / 'no/out.jsonl'}: ")


def test_a_folder_needs_an_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(tmp_path) == 1
    assert "goes with -o OUTPUT" in capsys.readouterr().err


# --- going on --------------------------------------------------------------------------------------------


def test_the_old_output_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    many(tmp_path / "in", 12)
    output = tmp_path / "out.jsonl"
    output.write_text("old\n")
    count = 0

    def stop_halfway() -> None:
        nonlocal count
        count += 1
        if count == 6:
            raise KeyboardInterrupt

    files = find([tmp_path / "in"])
    with pytest.raises(KeyboardInterrupt):
        chunk_folders(files, output, step=stop_halfway)
    assert output.read_text() == "old\n"
    output.unlink()
    report = chunk_folders(files, output, resume=True)
    assert (report.known, report.chunked) == (6, 6)
    again = tmp_path / "again.jsonl"
    chunk_folders(files, again)
    assert output.read_bytes() == again.read_bytes()
    assert left_in(tmp_path) == {"in", "out.jsonl", "again.jsonl"}


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_and_resumed(tmp_path: Path, suffix: str, jobs: str) -> None:
    many(tmp_path / "in", 150)
    write(tmp_path / "in", {"9/long.md": TEXT * 6_000})
    output, part = tmp_path / f"out.{suffix}", tmp_path / f"out.{suffix}.part"
    arguments = [sys.executable, "-m", "markdown_chunker", tmp_path / "in", "-o", output, "--jobs", jobs]
    running = subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + 30
    while time.monotonic() < until and not (part.exists() and part.stat().st_size > 20_000):
        time.sleep(0.005)
    running.kill()
    assert running.wait(30) == -signal.SIGKILL
    assert not output.exists()
    done = subprocess.run([*arguments, "--resume"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "151 files (" in done.stderr
    whole = tmp_path / f"whole.{suffix}"
    assert command(tmp_path / "in", "-o", whole, "--jobs", "1") == 0
    assert output.read_bytes() == whole.read_bytes()
    assert left_in(tmp_path) == {"in", output.name, whole.name}


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_resume_takes_what_is_there(tmp_path: Path, suffix: str) -> None:
    """Changed and new files are chunked, moved ones and twins named anew, deleted ones dropped."""
    source, output, fresh = many(tmp_path / "in", 30), tmp_path / f"out.{suffix}", tmp_path / f"fresh.{suffix}"
    write(source, {"twin1.md": TEXT, "twin2.md": TEXT})
    chunk_folders(find([source]), output)
    write(source, {"0/000.md": "changed", "new.md": "new"})
    (source / "1/001.md").rename(source / "moved.md")
    (source / "2/002.md").unlink()
    report = chunk_folders(find([source]), output, resume=True)
    assert (report.known, report.chunked) == (30, 2)
    chunk_folders(find([source]), fresh)
    assert output.read_bytes() == fresh.read_bytes()


def test_other_options_are_not_taken_for_the_same(tmp_path: Path) -> None:
    source, output = many(tmp_path / "in", 5), tmp_path / "out.jsonl"
    chunk_folders(find([source]), output)
    assert chunk_folders(find([source]), output, resume=True).chunked == 0
    assert chunk_folders(find([source]), output, ChunkConfig(max_chunk_size=99), resume=True).chunked == 5
    assert chunk_folders(find([source]), output, ChunkConfig(max_chunk_size=99), resume=True).chunked == 0
    assert chunk_folders(find([source]), output, with_metadata=False, resume=True).chunked == 5


def test_a_torn_journal_keeps_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, fresh=True) as journal:
        journal.add("a", [b"1", b"2"])
        journal.add("b", [])
        size = path.stat().st_size
        journal.add("c", [b"3"])
    whole = path.read_bytes()
    for end in range(size, len(whole)):
        path.write_bytes(whole[:end])
        with Journal(path, fresh=False) as journal:
            assert journal.keys == {"a", "b"}
            journal.add("d", [b"4"])
            assert journal.rows("a") == [b"1", b"2"]
            assert journal.rows("b") == []
            assert journal.rows("d") == [b"4"]
    with Journal(path, fresh=True) as journal:
        assert not journal.keys


def test_names_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    try:
        Path(os.fsdecode(os.fsencode(tmp_path / "in") + b"/\xff.md")).write_text(TEXT)
    except OSError:
        pytest.skip("this file system refuses such names")
    assert command(tmp_path / "in", "-o", tmp_path / "out.jsonl") == 0
    assert rows(tmp_path / "out.jsonl")[0]["source"].endswith("\\udcff.md")
