import { expect, test } from "vitest";
import { parseBackupCommand } from "../../../../../services/cli/backup/command.ts";

test("both commands name a folder", () => {
  expect(parseBackupCommand(["save", "--out", "/b"])).toEqual({ name: "save", folder: "/b" });
  expect(parseBackupCommand(["restore", "--from", "/b"])).toEqual({ name: "restore", folder: "/b" });
});

test.each([
  [["save"], "--out needs a folder"],
  [["save", "--out", ""], "--out needs a folder"],
  [["save", "--from", "/b"], "Unknown option '--from'"],
  [["restore", "--from"], "Option '--from <value>' argument missing"],
  [["restore", "--from", "/b", "more"], "Unexpected argument 'more'"],
  [[], "Say save or restore"],
])("%j is refused with one sentence and the usage", (args, sentence) => {
  expect(() => parseBackupCommand(args)).toThrow(`${sentence}.\nnpm run backup -- --out FOLDER`);
});
