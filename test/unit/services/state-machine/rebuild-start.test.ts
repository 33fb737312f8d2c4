import { expect, test } from "vitest";
import { rebuildStart, type Traces } from "../../../../services/state-machine/take-over/rebuild-start.ts";

const start = (low: number, traces: Partial<Traces>) =>
  rebuildStart(
    { partition: 0, low, high: 1_000 },
    {
      recent: undefined,
      cause: undefined,
      stored: undefined,
      committed: undefined,
      ...traces,
    },
  );

test("log that was not processed is not skipped, however old it is", () => {
  expect(start(0, { recent: 900, cause: 400 })).toEqual({ begin: 400, missed: undefined });
  expect(start(0, { recent: 900, cause: 400, committed: 300 })).toEqual({ begin: 300, missed: undefined });
});

test("what was processed is read again as far back as it matters", () => {
  expect(start(0, { recent: 200, cause: 400, committed: 950 })).toEqual({ begin: 200, missed: undefined });
});

test("where nothing is known of what was processed, all of the log is read", () => {
  expect(start(0, { recent: 900 })).toEqual({ begin: 0, missed: undefined });
});

test("what retention took before it was processed is named", () => {
  expect(start(500, { recent: 900, cause: 400 })).toEqual({ begin: 500, missed: { from: 400, to: 500 } });
  expect(start(500, { recent: 900, stored: 450, cause: 400 })).toEqual({ begin: 500, missed: { from: 450, to: 500 } });
  expect(start(500, { recent: 900, cause: 400, committed: 600 })).toEqual({ begin: 500, missed: undefined });
});

test("a trace beyond the end is not one of this log", () => {
  expect(start(0, { recent: 900, committed: 5_000 })).toEqual({ begin: 0, missed: undefined });
});
