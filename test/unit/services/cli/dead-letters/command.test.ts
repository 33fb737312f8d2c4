import { expect, test } from "vitest";
import { parseDeadLettersCommand } from "../../../../../services/cli/dead-letters/command.ts";

const list = { name: "list", reason: undefined, since: undefined, limit: 100, all: false, json: false };
const SINCE_MS = Date.UTC(2026, 0, 2);

test.each([
  [["list"], list],
  [["list", "--all", "--json", "--limit", "3"], { ...list, all: true, json: true, limit: 3 }],
  [["list", "--reason", "schema id", "--since", "2026-01-02"], { ...list, reason: "schema id", since: SINCE_MS }],
  [["list", "--since", "2026-01-02T01:00:00+01:00"], { ...list, since: SINCE_MS }],
  [["show", "camera-log/0/1"], { name: "show", id: "camera-log/0/1", json: false }],
  [["show", "--json", "camera-log/0/1"], { name: "show", id: "camera-log/0/1", json: true }],
  [["redrive", "a/0/1", "b/0/2"], { name: "redrive", ids: ["a/0/1", "b/0/2"], again: false }],
  [["redrive", "--again", "a/0/1"], { name: "redrive", ids: ["a/0/1"], again: true }],
  [["redrive", "--all"], { name: "redrive", ids: "all", reason: undefined }],
  [["redrive", "--all", "--reason", "future"], { name: "redrive", ids: "all", reason: "future" }],
])("dead-letters %j is understood", (args, expected) => {
  expect(parseDeadLettersCommand(args)).toEqual(expected);
});

test.each([
  [[], "Say what to do"],
  [["purge"], "There is no command purge"],
  [["list", "camera-log/0/1"], "list takes no camera-log/0/1"],
  [["list", "--limit", "0"], "--limit needs a whole number above 0"],
  [["list", "--limit", "many"], "--limit needs a whole number above 0"],
  [["list", "--limit", "-1"], "Option '--limit' argument is ambiguous"],
  [["list", "--limit"], "Option '--limit <value>' argument missing"],
  [["list", "--since", "yesterday"], "--since needs a date or an ISO 8601 time with offset"],
  [["list", "--since", "2026-01-02T01:00:00"], "--since needs a date or an ISO 8601 time with offset"],
  [["list", "--reason", ""], "--reason needs a text"],
  [["list", "--again"], "Unknown option '--again'"],
  [["show"], "show takes one ID"],
  [["show", "a/0/1", "a/0/2"], "show takes one ID"],
  [["redrive"], "redrive takes either IDs or --all"],
  [["redrive", "a/0/1", "--all"], "redrive takes either IDs or --all"],
  [["redrive", "--all", "--again"], "--again goes with IDs"],
  [["redrive", "a/0/1", "--reason", "future"], "--reason goes with --all"],
  [["redrive", "--all", "--reason", ""], "--reason needs a text"],
])("dead-letters %j is refused in one sentence, with the usage", (args, sentence) => {
  const refused = () => parseDeadLettersCommand(args);

  expect(refused).toThrow(sentence);
  expect(refused).toThrow(
    /^[^\n]+\.\nnpm run dead-letters -- list .*\n.*show ID.*\n.*redrive ID.*\n.*redrive --all.*$/,
  );
});
