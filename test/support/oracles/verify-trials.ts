// Compares the trial of each zone of a recording with the intersections that the zone had.
import { DAY_MS } from "../../../schemas/units.ts";
import type { GraphQLClient } from "../clients/graphql-client.ts";
import { START } from "../scenes/recorded-camera.ts";
import { firstDifference, type Stay } from "./compare.ts";

export interface VerifiedTrials {
  /** The number of compared intersections. */
  readonly tried: number;
  readonly difference: string | undefined;
}

interface TriedZone {
  readonly dataSourceId: string;
  readonly zoneId: string;
}

interface TrialPage {
  readonly zoneTrial: {
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly edges: readonly {
      readonly node: {
        readonly track: { readonly id: string };
        readonly startTime: string;
        readonly endTime: string | null;
      };
    }[];
  };
}

/** `history` are the intersections of all zones of the data source. The recording is shorter than a day. */
export async function verifyTrials(
  client: GraphQLClient,
  zones: readonly TriedZone[],
  history: readonly Stay[],
): Promise<VerifiedTrials> {
  let tried = 0;
  for (const zone of zones) {
    const trial = await readTrial(client, zone);
    const own = history.filter(({ zoneId }) => zoneId === zone.zoneId);
    const difference = firstDifference({ history: own, trial });
    if (difference !== undefined) return { tried, difference: `trial of zone ${zone.zoneId}: ${difference}` };
    tried += trial.length;
  }
  return { tried, difference: undefined };
}

async function readTrial(client: GraphQLClient, { dataSourceId, zoneId }: TriedZone): Promise<Stay[]> {
  const stays: Stay[] = [];
  const range = { startTime: START, endTime: new Date(Date.parse(START) + DAY_MS).toISOString() };
  for (let after: string | null = null; ; ) {
    const { zoneTrial: page }: TrialPage = await client.ask<TrialPage>(TRIAL, {
      dataSourceId,
      zoneId,
      ...range,
      after,
    });
    for (const { node } of page.edges) {
      const endTime = node.endTime === null ? null : Date.parse(node.endTime);
      stays.push({ trackId: node.track.id, zoneId, startTime: Date.parse(node.startTime), endTime });
    }
    if (page.pageInfo.hasNextPage) after = page.pageInfo.endCursor;
    else if (stays.length === page.totalCount) return stays;
    else throw new Error(`the pages of a trial have ${stays.length} of ${page.totalCount} intersections`);
  }
}

const TRIAL = `query ($dataSourceId: ID!, $zoneId: ID!, $startTime: DateTimeOffset!, $endTime: DateTimeOffset!, $after: String) {
  zoneTrial(dataSourceId: $dataSourceId, zoneId: $zoneId, startTime: $startTime, endTime: $endTime, first: 300, after: $after) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { track { id } startTime endTime } }
  }
}`;
