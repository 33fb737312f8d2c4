import { expect, test } from "vitest";
import { Visits } from "../../../../../services/console/parts/visits.ts";

/** A history as a browser has it. */
function fakeHistory() {
  const entries: { state: unknown; url: string }[] = [{ state: null, url: "/console" }];
  let at = 0;
  return {
    entries,
    get state() {
      return entries[at]?.state;
    },
    get url() {
      return entries[at]?.url;
    },
    pushState: (state: unknown, _title: string, url?: string | URL | null) => {
      at += 1;
      entries.splice(at, entries.length, { state, url: String(url) });
    },
    replaceState: (state: unknown, _title: string, url?: string | URL | null) => {
      entries[at] = { state, url: String(url) };
    },
    go: (steps = 0) => {
      at += steps;
    },
  };
}

test("a step over several entries is taken back, and the entries ahead stay", () => {
  const history = fakeHistory();
  const visits = new Visits(history, "/console");
  for (const url of ["/console/a", "/console/b", "/console/c"]) visits.visit(url, false);

  history.go(-3);
  visits.takeBack();
  expect(history.url).toBe("/console/c");

  history.go(-2);
  visits.arrived("/console/a");
  history.go(2);
  visits.takeBack();
  expect(history.url).toBe("/console/a");
  expect(history.entries).toHaveLength(4);
});

test("a step to an entry that the console did not write is taken back with a new one", () => {
  const history = fakeHistory();
  const visits = new Visits(history, "/console/a");
  history.pushState(null, "", "/console/b#x");

  visits.takeBack();
  expect(history.url).toBe("/console/a");
});

test("a document that is loaded again goes on counting", () => {
  const history = fakeHistory();
  new Visits(history, "/console").visit("/console/a", false);
  const visits = new Visits(history, "/console/a");

  history.go(-1);
  visits.takeBack();
  expect(history.url).toBe("/console/a");
});
