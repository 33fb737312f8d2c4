import { expect, test } from "vitest";
import { createReceivers } from "../../../../../services/webhooks/queue/receivers.ts";

const URL = "https://a.example/hook";
const took = (ms: number) => ({ ms, failed: false });

test("a receiver is new until it has answered, then quick", () => {
  const receivers = createReceivers();

  expect(receivers.standing(URL)).toBe("new");
  receivers.note(URL, took(20));
  expect(receivers.standing(URL)).toBe("quick");
  expect(receivers.standing("https://b.example/hook")).toBe("new");
});

test("one that succeeds slowly is troubled, and a quick answer now and then does not change that", () => {
  const receivers = createReceivers();
  receivers.note(URL, took(9_000));

  for (const ms of [20, 9_000, 20, 20, 9_000, 20]) {
    receivers.note(URL, took(ms));
    expect(receivers.standing(URL)).toBe("troubled");
  }
  for (let n = 0; n < 15; n++) receivers.note(URL, took(20));
  expect(receivers.standing(URL)).toBe("quick");
});

test("one that failed last is troubled, however quickly, until it succeeds", () => {
  const receivers = createReceivers();
  receivers.note(URL, took(20));

  receivers.note(URL, { ms: 5, failed: true });
  expect(receivers.standing(URL)).toBe("troubled");
  receivers.note(URL, took(20));
  expect(receivers.standing(URL)).toBe("quick");
});
