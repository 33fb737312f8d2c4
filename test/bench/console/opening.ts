// How soon a link shows something: the first paint, and the first boxes of a live picture. Each opening has a new
// browser context, so nothing is in its cache.
import type { Browser } from "playwright-core";
import type { System } from "../../support/running/launch-system.ts";
import { type Comparison, median } from "../measure.ts";
import { consoleLink, openPage } from "./browser.ts";

const OPENINGS = 5;
const FIRST_PAINT_GOAL_MS = 1_000;
const LIVE_GOAL_MS = 2_000;

/** The baseline is the goal: there is no other console to compare with. */
export async function measureOpening(browser: Browser, system: System, dataSourceId: string): Promise<Comparison[]> {
  const paints: number[] = [];
  const lives: number[] = [];
  // The first one has the API read the history for the first time.
  for (let i = 0; i <= OPENINGS; i++) {
    const { page, close } = await openPage(browser, consoleLink(system, `/cameras/${dataSourceId}`));
    await page.waitForSelector(WITH_BOXES);
    const live: number = await page.evaluate("performance.now()");
    const paint: number = await page.evaluate(FIRST_PAINT);
    await close();
    if (i === 0) continue;
    paints.push(paint);
    lives.push(live);
  }
  return [
    opened("first paint", median(paints), FIRST_PAINT_GOAL_MS),
    opened("first boxes", median(lives), LIVE_GOAL_MS),
  ];
}

const opened = (what: string, ms: number, goalMs: number): Comparison => ({
  ...{ name: `console, ${what} after opening`, unit: "ms", ours: ms, baseline: goalMs },
  ...{ ratio: ms / goalMs, goal: `<= ${goalMs}` },
});

/** The description of the picture says how many objects it shows. */
const WITH_BOXES = "#picture-counts:text-matches('^[1-9]')";

/** Runs in the page. */
const FIRST_PAINT = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN`;
