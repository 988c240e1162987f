"""Reads Parquet, Arrow or Feather data from standard input and writes them as CSV.

This text is compiled into the library, which runs it with `python3 -c` (arrow_source.cpp). Each
argument is `drop=NAME`, a column to leave empty, or `text=NAME`, one whose values count as text
whatever their type. Before the CSV come lines that tell the columns of text apart from those of
numbers, and an empty line.

Exit codes: 3 for bad data, 4 for a Python that lacks something, 5 for a column of a type that is
neither numbers nor text. What is wrong is then on standard error.
"""

import sys

sys.path[:] = [folder for folder in sys.path if folder]  # not what lies in the working folder

import io  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from typing import Any, NoReturn, TypeAlias  # noqa: E402

ROWS = 1 << 16

Arrow: TypeAlias = Any  # pyarrow has no types


def fail(code: int, text: str) -> NoReturn:
    sys.stderr.write(text)
    sys.stderr.flush()
    sys.exit(code)


try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import csv
except ImportError as error:
    fail(4, f"Python {sys.version.split()[0]} ({sys.executable}) has no pyarrow: {error}")


def opened() -> Arrow:
    """The data, in memory where they cannot be read in any order."""
    file = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    return file if file.seekable() else io.BytesIO(file.read())


def table_of(file: Arrow) -> tuple[Arrow, Arrow]:
    """Its schema, and a function from the numbers of columns to batches of these columns."""
    magic = file.read(6)
    file.seek(0)
    if magic[:4] == b"PAR1":
        parquet = pq.ParquetFile(file)
        schema = parquet.schema_arrow

        def parquet_batches(kept: list[int]) -> Iterator[list[Arrow]]:
            whole = len(kept) == len(schema.names)
            names = None if whole else [schema.names[c] for c in kept]
            for batch in parquet.iter_batches(ROWS, columns=names):
                if whole:
                    yield list(batch.columns)
                    continue
                place = iter(range(batch.num_columns))  # in the order of the file
                yield [
                    batch.column(next(i for i in place if batch.schema.names[i] == schema.names[c]))
                    for c in kept
                ]

        return schema, parquet_batches
    if magic[:4] == b"FEA1":
        from pyarrow import feather

        table = feather.read_table(file)
        reader, schema = table.to_batches(ROWS), table.schema
    elif magic == b"ARROW1":
        file_reader = pa.ipc.open_file(file)
        schema = file_reader.schema
        reader = (file_reader.get_batch(i) for i in range(file_reader.num_record_batches))
    elif magic[:2] == b"\x1f\x8b":
        fail(3, "found gzip data; allowed: the file itself, which is compressed inside")
    elif magic[:4] == b"\xff\xff\xff\xff":
        reader = pa.ipc.open_stream(file)
        schema = reader.schema
    else:
        fail(3, "found no Parquet, Arrow or Feather data; allowed: a whole file of one of these")

    def arrow_batches(kept: list[int]) -> Iterator[list[Arrow]]:
        for batch in reader:
            batch.validate(full=True)
            for begin in range(0, batch.num_rows, ROWS):
                yield [batch.column(c).slice(begin, ROWS) for c in kept]

    return schema, arrow_batches


def kind_of(kind: Arrow) -> str:
    """What a column of this type becomes: number or text; else dates, or nothing known."""
    types = pa.types
    if types.is_dictionary(kind):
        inner = kind_of(kind.value_type)
        return "text" if inner == "number" else inner
    if types.is_string(kind) or types.is_large_string(kind) or types.is_boolean(kind):
        return "text"
    if str(kind) == "string_view":
        return "text"
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    if types.is_null(kind):
        return "number"
    return "dates" if types.is_temporal(kind) else ""


def as_text(values: Arrow) -> Arrow:
    """Texts as the Python package has them."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_boolean(values.type):
        return pc.if_else(values, "True", "False")
    if pa.types.is_float16(values.type):
        values = values.cast(pa.float64())
    return values.cast(pa.string())


def as_numbers(values: Arrow, name: str, first_row: int) -> Arrow:
    """Integers, or doubles, null where they are not a number."""
    if pa.types.is_integer(values.type) or pa.types.is_null(values.type):
        return values
    values = values.cast(pa.float64(), safe=False)
    endless = pc.fill_null(pc.is_inf(values), fill_value=False)
    if pc.any(endless).as_py():
        row = first_row + pc.index(endless, value=True).as_py()
        allowed = "a finite number, or none where it is missing"
        fail(3, f"row {row}, column {name!r}: found infinity; allowed: {allowed}")
    return pc.if_else(pc.is_nan(values), pa.scalar(None, pa.float64()), values)


def without_index(schema: Arrow, named: set[str]) -> tuple[list[int], list[str]]:
    """The columns, and those that pandas wrote as the index of the rows, unless they are named."""
    about = schema.pandas_metadata or {}
    index = {name for name in about.get("index_columns", []) if isinstance(name, str)} - named
    names = schema.names
    kept = [c for c, name in enumerate(names) if name not in index]
    return kept, [name for name in names if name in index]


def is_unique(name: str, names: list[str]) -> bool:
    """Whether the reader of CSV, which trims cells and names those without a name, can find it."""
    return name != "" and name == name.strip() and names.count(name) == 1


def escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("\n", "\\n")


def convert(drop: set[str], text: set[str], out: Arrow) -> None:
    schema, batches = table_of(opened())
    columns, index = without_index(schema, drop | text)
    if not columns:
        fail(3, "found no columns; allowed: one or more")
    kinds = {}
    for c in columns:
        field = schema.field(c)
        kinds[c] = kind_of(field.type)
        if field.name in drop:
            kinds[c] = "dropped"
        elif kinds[c] not in {"number", "text"} and not (
            kinds[c] == "dates" and field.name in text
        ):
            what = "dates or times" if kinds[c] == "dates" else "values"
            fail(5, f"{field.name}\0{what} of the type {field.type}")
    names = [schema.names[c] for c in columns]
    about = [f"version {pa.__version__}", f"python {escaped(sys.executable)}"]
    about += [
        f"text {escaped(schema.names[c])}"
        for c in columns
        if kinds[c] == "text" and schema.names[c] not in text and is_unique(schema.names[c], names)
    ]
    about += [f"index {escaped(name)}" for name in index]
    out.write(("\n".join(about) + "\n\n").encode())
    out.write((",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode())

    read = [c for c in columns if kinds[c] != "dropped"]
    layout = pa.schema([(f"c{c}", csv_type(schema.field(c), kinds[c], text)) for c in columns])
    if len(columns) == 1:
        layout = pa.schema([("c", pa.string())])
    writer = csv.CSVWriter(out, layout, write_options=csv.WriteOptions(include_header=False))
    rows = 0
    for batch in batches(read):
        count = len(batch[0]) if batch else 0
        done = dict(zip(read, batch, strict=True))
        arrays = []
        for c, field in zip(columns, layout, strict=True):
            name = schema.names[c]
            if c not in done:
                values = pa.nulls(count, field.type)
            elif name in text or kinds[c] == "text":
                values = as_text(done[c])
            else:
                values = as_numbers(done[c], name, rows)
            if len(columns) == 1:  # an empty line would be no row
                values = pc.fill_null(values.cast(pa.string()), "NA")
            arrays.append(values.cast(field.type))
        writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=layout))
        rows += count
    writer.close()
    out.flush()


def csv_type(field: Arrow, kind: str, text: set[str]) -> Arrow:
    if kind == "text" or field.name in text:
        return pa.string()
    if pa.types.is_integer(field.type):
        return field.type
    return pa.float64()


def main() -> None:
    drop = {word[5:] for word in sys.argv[1:] if word.startswith("drop=")}
    text = {word[5:] for word in sys.argv[1:] if word.startswith("text=")}
    out = open(1, "wb", buffering=1 << 20, closefd=False)  # noqa: SIM115
    try:
        convert(drop, text, out)
    except (pa.ArrowException, OSError, ValueError, OverflowError, EOFError) as error:
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        lines = str(error).strip().splitlines() or [type(error).__name__]
        fail(3, f"found damaged data ({lines[0]}); allowed: a whole Parquet, Arrow or Feather file")
    except MemoryError:
        fail(4, "out of memory")


main()
