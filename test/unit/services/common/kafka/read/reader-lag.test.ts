import { expect, onTestFinished, test, vi } from "vitest";
import { createReaderLag } from "../../../../../../services/common/kafka/read/reader-lag.ts";
import { metricsText } from "../../../../../../services/common/metrics/define.ts";
import { lagMessages } from "../../../../../../services/common/metrics/kafka.ts";

const ID = { topic: "lagging", partition: 3 };
const MINUTE_MS = 60_000;

/** The lag of the partition as Prometheus reads it; undefined while nobody tells it. */
async function lagIn(group: string): Promise<(string | undefined)[]> {
  const lines = (await metricsText()).split("\n").filter((line) => line.includes(`group="${group}"`));
  return ["messages", "seconds"].map((unit) => {
    return lines
      .find((line) => line.startsWith(`tracklog_reader_lag_${unit}{`))
      ?.split(" ")
      .at(-1);
  });
}

function startLag(group: string) {
  const clock = { now: 100 * MINUTE_MS };
  const lag = createReaderLag(group, () => clock.now);
  onTestFinished(lag.close);
  const batch = (next: number, recordedAt: number) => {
    return { ...ID, next, highWatermark: 20, messages: [{ timestamp: String(recordedAt) }] };
  };
  return { lag, clock, batch };
}

test("the lag is the number of unfinished messages, and the age of the oldest of them", async () => {
  const { lag, clock, batch } = startLag("a");
  lag.begun(ID, 10);
  expect(await lagIn("a")).toEqual(["0", "0"]);

  lag.taken([batch(12, clock.now - 5_000), batch(15, clock.now - 3_000)]);
  expect(await lagIn("a")).toEqual(["10", "5"]);
  clock.now += MINUTE_MS;
  expect(await lagIn("a")).toEqual(["10", "65"]);

  lag.finished([{ ...ID, next: 12 }]);
  expect(await lagIn("a")).toEqual(["8", "63"]);
  lag.finished([{ ...ID, next: 20 }]);
  expect(await lagIn("a")).toEqual(["0", "0"]);
});

test("a partition that is assigned anew, and a reader that has ended, have no lag", async () => {
  const { lag, batch } = startLag("b");
  lag.begun(ID, 10);
  lag.reset();
  lag.taken([batch(12, 0)]);
  lag.finished([{ ...ID, next: 12 }]);
  expect(await lagIn("b")).toEqual([undefined, undefined]);

  lag.begun(ID, 10);
  lag.close();
  expect(await lagIn("b")).toEqual([undefined, undefined]);
});

test("however long the owner does not finish anything, the lag keeps the oldest message", async () => {
  const { lag, clock, batch } = startLag("c");
  lag.begun(ID, 0);
  for (let next = 1; next <= 5_000; next++) lag.taken([batch(next, clock.now - MINUTE_MS + next)]);

  lag.finished([{ ...ID, next: 999 }]);

  expect(await lagIn("c")).toEqual(["0", String((MINUTE_MS - 1_000) / 1_000)]);
});

test("readers that cannot start leave nothing that Prometheus would read", () => {
  const observe = vi.spyOn(lagMessages, "observe");
  onTestFinished(() => observe.mockRestore());

  const { lag } = startLag("d");
  expect(observe).not.toHaveBeenCalled();

  lag.begun(ID, 0);
  expect(observe).toHaveBeenCalledOnce();
});
