// What holds for the whole schema, over the demo's scene and that of docs/queries.md.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { follow } from "../integration/feed/subscription.ts";
import { leaveOut, readExamples } from "../support/cookbook.ts";
import { type LaunchedSystem, launchSystem } from "../support/launch-system.ts";
import { playDemo } from "../support/play-demo.ts";
import { useStack } from "../support/stack.ts";

let launched: LaunchedSystem;
beforeAll(async () => {
  const stack = useStack();
  launched = await launchSystem(stack.env, stack.uniqueName("test"));
  await playDemo(launched.system, "2026-01-01T12:00:00Z");
});
afterAll(() => launched.stop());

/** Where the writes of the examples stand: a query waits for all of them. */
const positions: string[] = [];

test.for(readExamples())("docs/queries.md: $title", async ({ document, variables, answer }) => {
  const { url, token, client } = launched.system;
  if (answer === undefined) {
    const subscription = await follow({ url, token, query: document });
    onTestFinished(() => subscription.client.drop());
    expect(subscription.error()).toBeUndefined();
    return;
  }

  const { data, errors, extensions } = await client.send(document, variables, {
    "x-min-position": positions.join(","),
  });

  if (extensions?.position !== undefined) positions.push(extensions.position);
  expect(errors).toBeUndefined();
  expect(leaveOut(data, answer)).toEqual(answer);
});
