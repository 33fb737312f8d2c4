// The result of the import, as the API reports it.
import { z } from "zod";
import { isoTime } from "../../../schemas/identity.ts";
import type { ImportClient } from "./client.ts";

export interface ImportSummary {
  readonly recording: string;
  readonly tracks: number;
  readonly detections: number;
  /** Intersections of all recordings of the data source in the period: two recordings may cover the same time. */
  readonly intersections: number;
  readonly seconds: number;
  readonly ignored: number;
  readonly duplicates: number;
  readonly badLines: number;
  readonly firstBadLine: string | undefined;
  readonly zonesCreated: number;
}

interface Period {
  readonly dataSourceId: string;
  /** Milliseconds since the epoch, both ends included. */
  readonly from: number;
  readonly to: number;
}

const counted = z.object({ zoneIntersections: z.object({ totalCount: z.number() }) });

/**
 * Counts the intersections that started in the period; the answer waits until the log up to `minPosition` is folded.
 */
export async function countIntersections(
  client: ImportClient,
  { dataSourceId, from, to }: Period,
  minPosition: string | undefined,
): Promise<number> {
  const { data } = await client.request({
    query: `query CountIntersections($filter: FilterZoneIntersectionInput!) {
      zoneIntersections(filter: $filter, first: 1) { totalCount }
    }`,
    variables: { filter: { time: { between: [isoTime(from), isoTime(to)] }, dataSourceId: { eq: dataSourceId } } },
    minPosition,
  });
  return counted.parse(data).zoneIntersections.totalCount;
}

export function formatSummary(summary: ImportSummary): string {
  const { recording, tracks, detections, intersections, seconds } = summary;
  const lines = [
    `recording       ${recording}`,
    `tracks          ${whole(tracks)}`,
    `detections      ${whole(detections)}`,
    `intersections   ${whole(intersections)} (of the whole data source in that time)`,
    `seconds         ${seconds.toFixed(1)}`,
    `detections/s    ${whole(Math.round(detections / Math.max(seconds, 0.001)))}`,
  ];
  if (summary.zonesCreated > 0) lines.push(`zones created   ${whole(summary.zonesCreated)}`);
  if (summary.ignored > 0) lines.push(`rows left out   ${whole(summary.ignored)} (flag 0 or lost)`);
  if (summary.duplicates > 0) lines.push(`doubled rows    ${whole(summary.duplicates)} (the first was kept)`);
  if (summary.badLines > 0) lines.push(`bad lines       ${whole(summary.badLines)}, first ${summary.firstBadLine}`);
  return lines.join("\n");
}

const whole = (value: number): string => value.toLocaleString("en-US");
