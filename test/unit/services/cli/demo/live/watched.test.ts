import { expect, test } from "vitest";
import { createWatched, hasSubscribers } from "../../../../../../services/cli/demo/live/watched.ts";

const metrics = (count: number) =>
  `# HELP tracklog_subscribers Open GraphQL subscriptions.\n# TYPE tracklog_subscribers gauge\ntracklog_subscribers{service="api"} ${count}\n`;

test.each([
  [metrics(2), true],
  [metrics(0), false],
  ["", false],
  ["tracklog_subscribers_total 3\n", false],
])("somebody looks while the API has a subscriber", (text, expected) => {
  expect(hasSubscribers(text)).toBe(expected);
});

test("without an address everybody counts as looking, and an API that does not answer as nobody", async () => {
  expect(await createWatched(undefined)()).toBe(true);
  expect(await createWatched("http://127.0.0.1:9")()).toBe(false);
});
