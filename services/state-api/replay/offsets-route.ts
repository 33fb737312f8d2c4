import { projectedPositions } from "../../../projections/history/queries/positions.ts";
import { windowOffsets } from "../../../projections/history/queries/replay-stretches.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import { isoTime } from "../../../schemas/identity.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import { type ReplayOffsets, replayOffsetsAnswer, replayOffsetsQuery } from "../../../schemas/rest/replay.ts";
import { Problem } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { refusedQuestions } from "./asking.ts";
import type { SelectionDeps } from "./selection.ts";

export type OffsetsDeps = Omit<SelectionDeps, "catalog">;

export const offsetsRoute = (deps: OffsetsDeps): Route =>
  route({
    method: "GET",
    path: "/api/replay/offsets",
    summary: "Returns the offsets of an event time",
    description:
      "They are those of the messages with detections of the data source in that time, as far as the history has them. " +
      "The messages in between may belong to other data sources. Expiries of the tracks have later offsets.",
    scope: "read",
    query: replayOffsetsQuery,
    answers: {
      200: { description: "The offsets, and those that the log has now.", schema: replayOffsetsAnswer },
      ...refusedQuestions,
    },
    async handle({ query: { data_source_id: dataSourceId, from, to }, principal: { tokenId }, gone }) {
      if (from >= to) throw new Problem("validation", "`from` must be before `to`");
      const caller = { tokenId, gone: gone() };
      const asked = { dataSourceId, from, to };
      return { status: 200, body: await deps.askHistory(caller, (history) => offsetsOf(deps, history, asked)) };
    },
  });

interface Asked {
  readonly dataSourceId: string;
  readonly from: number;
  readonly to: number;
}

async function offsetsOf(
  { ranges, topic }: OffsetsDeps,
  history: QueryClient,
  { dataSourceId, from, to }: Asked,
): Promise<ReplayOffsets> {
  const known = await ranges();
  const partition = partitionOfKey(dataSourceId, known.length);
  const { low, high } = known[partition] ?? { low: 0, high: 0 };
  const since = (await projectedPositions(history, topic)).get(partition)?.rankBase ?? 0;
  const found = await windowOffsets(history, { dataSourceIds: [dataSourceId], from, to }, { partition, since });
  const place = { data_source_id: dataSourceId, partition, log_from: low, log_to: high };
  if (found === undefined) {
    return { ...place, from: null, to: null, first_recorded_at: null, last_recorded_at: null, log: "none" };
  }
  const first = found.from - since;
  return {
    ...place,
    from: first,
    to: found.to - since,
    first_recorded_at: isoTime(found.recordedFrom),
    last_recorded_at: isoTime(found.recordedTo),
    log: first < low ? "history" : "topic",
  };
}
