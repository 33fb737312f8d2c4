// The summaries over a month of detections, tracks and intersections, against SQL written by hand for the same answer.

import { parameter } from "../config.ts";
import type { Comparison } from "../measure.ts";
import { contest, withHistory } from "../query/query.ts";
import type { BenchStack } from "../stack.ts";
import { benchCatalog } from "./catalog.ts";
import { summaryQuestions } from "./questions.ts";

const CAMERAS = 50;
const DETECTIONS_PER_TRACK = 100;
export const MONTH_MS = 30 * 86_400_000;

export function benchSummary(stack: BenchStack): Promise<Comparison[]> {
  const tracks = parameter("BENCH_SUMMARY_DETECTIONS", 10_000_000) / DETECTIONS_PER_TRACK;
  const size = {
    cameras: CAMERAS,
    tracks,
    detectionsPerTrack: DETECTIONS_PER_TRACK,
    zones: 1_000,
    trackEveryMs: Math.floor((MONTH_MS * CAMERAS) / tracks),
  };
  return withHistory(stack, size, async (client) => {
    const known = await benchCatalog(client, size);
    const results: Comparison[] = [];
    for (const question of summaryQuestions(client, known)) results.push(await contest(client, question, "summary"));
    return results;
  });
}
