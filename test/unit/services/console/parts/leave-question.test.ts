import { expect, test } from "vitest";
import { createLeaveQuestion } from "../../../../../services/console/parts/leave-question.ts";

test("the browser asks only while something is not saved", () => {
  const page = new EventTarget();
  const isAsked = () => !page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const leaving = createLeaveQuestion(page);
  expect(isAsked()).toBe(false);

  leaving.need(true);
  leaving.need(true);
  expect(isAsked()).toBe(true);

  leaving.need(false);
  expect(isAsked()).toBe(false);
});

test("another page takes its place without a question unless something is not saved", () => {
  const asked: string[] = [];
  const leaving = createLeaveQuestion(new EventTarget(), (question) => asked.push(question) > 1);
  expect(leaving.mayLeave()).toBe(true);
  expect(asked).toHaveLength(0);

  leaving.need(true);
  expect(leaving.mayLeave()).toBe(false);
  expect(leaving.mayLeave()).toBe(true);
});
