import { expect, test } from "vitest";
import { parseLogCommand } from "../../../../../services/cli/log/command.ts";

test("an export names its selection and its file", () => {
  expect(parseLogCommand(["export", "--tracks", "a,b", "--out", "x.avro"])).toEqual({
    ...{ name: "export", selection: { kind: "tracks", trackIds: ["a", "b"] }, out: "x.avro" },
    ...{ codec: "deflate", replaces: false },
  });
  expect(parseLogCommand(["export", "--tracks", "a", "--out", "x", "--codec", "null", "--force"])).toMatchObject({
    ...{ codec: "null", replaces: true },
  });
});

test("an import names one file", () => {
  expect(parseLogCommand(["import", "x.avro", "--namespace", "lab", "--at", "now"])).toEqual({
    ...{ name: "import", path: "x.avro", namespace: "lab", isNow: true, forces: false },
  });
});

test.each([
  [[], "Say export, import or show"],
  [["export", "--tracks", "a"], "--out needs a file"],
  [["export", "--out", "x"], "Give one of --data-source, --partition and --tracks"],
  [["export", "--tracks", "a", "--out", "x", "--codec", "zip"], "--codec takes deflate or null"],
  [["import"], "Name one file"],
  [["import", "a", "b"], "Name one file"],
  [["import", "a", "--at", "2026-11-24T14:00:00Z"], "--at takes now"],
  [["import", "a", "--namespace", "a.b"], "--namespace needs a name"],
  [["show", "a", "--force"], "Unknown option '--force'"],
])("%j is refused, with the usage", (args, reason) => {
  expect(() => parseLogCommand(args)).toThrow(reason);
  expect(() => parseLogCommand(args)).toThrow("npm run log -- export SELECTION");
});
