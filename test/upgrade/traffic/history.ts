// A reader of the history: the number of detections never falls, whichever instance answers.
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { repeat, type Traffic } from "./traffic.ts";

const PAUSE_MS = 500;
const QUERY = `query ($from: DateTimeOffset!, $to: DateTimeOffset!, $filter: FilterDetectionsSummaryInput) {
  detectionsSummary(startTime: $from, endTime: $to, filter: $filter) { total }
}`;
const RANGE = { from: "2026-01-01T00:00:00Z", to: "2026-01-03T00:00:00Z" };

export function readHistory(impatient: GraphQLClient, dataSourceId: string, complain: (text: string) => void): Traffic {
  const client = patientClient(impatient);
  let [most, read] = [0, 0];
  const { stop } = repeat(
    async () => {
      const filter = { dataSource: { id: { eq: dataSourceId } } };
      const { detectionsSummary } = await client.ask<{ detectionsSummary: { total: number } }>(QUERY, {
        ...RANGE,
        filter,
      });
      const { total } = detectionsSummary;
      if (total < most) complain(`the history had ${most} detections, and then ${total}`);
      most = Math.max(most, total);
      read++;
    },
    PAUSE_MS,
    complain,
  );
  return {
    name: "history",
    stop,
    differences: async () => [],
    close: async () => undefined,
    counts: () => ({ queries: read }),
  };
}
