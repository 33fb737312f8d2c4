import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mot } from "../../../../../services/cli/import/formats/mot.ts";
import { readRows } from "../../../../../services/cli/import/read-rows.ts";
import { createRowTable } from "../../../../../services/cli/import/row-table.ts";

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-rows-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "tracks.txt");
  await writeFile(file, content);
  return file;
}

const read = (file: string, skipBadLines = false) => readRows({ file, format: mot, tag: "walker", skipBadLines });

const line = (frame: number, id: number, left = 0) => `${frame},${id},${left},0,5,5,-1,-1,-1,-1`;

test("rows come in order of frame, then id, whatever their order in the file", async () => {
  const file = await fileWith([line(2, 1), line(10, 2), line(1, 10), line(1, 2), ""].join("\n"));

  const { rows } = await read(file);

  const order = Array.from({ length: rows.length }, (_, index) => [rows.row(index).frame, rows.row(index).fileId]);
  expect(order).toEqual([
    [1, 2],
    [1, 10],
    [2, 1],
    [10, 2],
  ]);
});

test("of rows with the same frame and id the first is kept", async () => {
  const file = await fileWith([line(1, 1, 7), line(1, 1, 8), line(2, 1, 9), line(1, 1, 6)].join("\n"));

  const { rows, duplicates } = await read(file);

  expect([rows.length, duplicates, rows.row(0).left, rows.row(1).left]).toEqual([2, 2, 7, 9]);
});

test("many rows, more than one piece of the file, are all there", async () => {
  const count = 60_000;
  const file = await fileWith(Array.from({ length: count }, (_, n) => line(count - n, n % 7, n)).join("\r\n"));

  const { rows } = await read(file);

  expect(rows.length).toBe(count);
  expect(rows.row(0)).toMatchObject({ frame: 1, left: count - 1 });
  expect(rows.row(count - 1)).toMatchObject({ frame: count, left: 0 });
});

test("a malformed line is named by file, line and column", async () => {
  const file = await fileWith(`${line(1, 1)}\n\n2,1,x,0,5,5,-1,-1,-1,-1\n`);

  await expect(read(file)).rejects.toThrow(`${file}, line 3, column 3: left is not a number: "x"`);
});

test("malformed lines are counted and left out when asked for", async () => {
  const file = await fileWith(`${line(1, 1)}\nnonsense\n${line(2, 1)}\nmore\n`);

  const { rows, badLines, firstBadLine } = await read(file, true);

  expect([rows.length, badLines]).toEqual([2, 2]);
  expect(firstBadLine).toContain("line 2, column 2");
});

test("a missing file is told in one sentence", async () => {
  await expect(read("/nowhere/tracks.txt")).rejects.toThrow(/^Cannot read \/nowhere\/tracks.txt: ENOENT/);
});

test("a file without line ends is refused, however large, also when bad lines are left out", async () => {
  const file = await fileWith("1".repeat(3 << 20));

  for (const skipBadLines of [false, true]) {
    await expect(read(file, skipBadLines)).rejects.toThrow(`${file}, line 1 is longer than 65536 characters`);
  }
});

test("each row keeps its own tag, however many there are", () => {
  const table = createRowTable();
  const count = 70_000;
  const box = { left: 0, top: 0, right: 1, bottom: 1 };
  for (let frame = 1; frame <= count; frame++) table.add({ ...box, frame, fileId: 1, tag: `tag ${frame}` });

  expect(table.build().row(count - 1).tag).toBe(`tag ${count}`);
});
