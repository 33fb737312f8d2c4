import { expect, test } from "vitest";
import { copied } from "../../../../../services/console/parts/copy.ts";

test("a text is copied", async () => {
  const texts: string[] = [];
  const clipboard = { writeText: async (text: string) => void texts.push(text) };

  expect(await copied(clipboard, "secret")).toMatchObject({ isCopied: true });
  expect(texts).toEqual(["secret"]);
});

test("without a secure origin, or when the browser refuses, it says what to do instead", async () => {
  const clipboard = { writeText: () => Promise.reject(new Error("not allowed")) };

  for (const each of [undefined, clipboard]) {
    expect(await copied(each, "secret")).toEqual({
      isCopied: false,
      says: "The browser did not allow it. Select the text instead.",
    });
  }
});
