// Reads the history: page by page through the GraphQL API, and straight from ClickHouse.
import { topicName } from "../../../schemas/topics.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, kafkaEnv, loadConfig, namespaceEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import type { Stay } from "../oracles/compare.ts";
import type { GraphQLClient } from "./graphql-client.ts";

export interface AskedHistory {
  readonly dataSourceIds: readonly string[];
  /** The log position that the history must reach first. */
  readonly minPosition?: string;
  /** Small enough for several pages. */
  readonly pageSize?: number;
}

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Answer<Node> {
  readonly page: Connection<Node>;
}

interface IntersectionNode {
  readonly startTime: string;
  readonly endTime: string | null;
  readonly track: { readonly id: string };
  readonly zone: { readonly id: string };
}

/** Every intersection of the data sources; rejects when the pages do not add up to the total. */
export async function readIntersections(client: GraphQLClient, asked: AskedHistory): Promise<Stay[]> {
  const nodes = await readPages<IntersectionNode>(client, asked, {
    field: "zoneIntersections",
    filter: "FilterZoneIntersectionInput!",
    selection: "startTime endTime track { id } zone { id }",
  });
  return nodes.map(({ track, zone, startTime, endTime }) => ({
    trackId: track.id,
    zoneId: zone.id,
    startTime: Date.parse(startTime),
    endTime: endTime === null ? null : Date.parse(endTime),
  }));
}

export interface StoredDetection {
  readonly trackId: string;
  readonly timestamp: number;
}

export async function readDetections(client: GraphQLClient, asked: AskedHistory): Promise<StoredDetection[]> {
  const nodes = await readPages<{ timestamp: string; track: { id: string } }>(client, asked, {
    field: "detections",
    filter: "FilterDetectionInput!",
    selection: "timestamp track { id }",
  });
  return nodes.map(({ timestamp, track }) => ({ trackId: track.id, timestamp: Date.parse(timestamp) }));
}

/** The same from the table itself; every intersection of the database but those of other data sources. */
export async function intersectionsInClickHouse(
  env: Readonly<Record<string, string>>,
  dataSourceIds: readonly string[],
): Promise<Stay[]> {
  const clickhouse = createClickHouse(loadConfig(clickhouseEnv, env));
  try {
    const rows = await clickhouse.query({
      query: `SELECT track_id AS trackId, zone_id AS zoneId,
                toInt64(toUnixTimestamp64Milli(start_time)) AS startTime,
                toUnixTimestamp64Milli(end_time) AS endTime
              FROM zone_intersections_v1 FINAL WHERE data_source_id IN {ids: Array(String)}`,
      query_params: { ids: dataSourceIds },
      format: "JSONEachRow",
    });
    const found = await rows.json<{ trackId: string; zoneId: string; startTime: string; endTime: string | null }>();
    return found.map((row) => ({
      ...row,
      startTime: Number(row.startTime),
      endTime: row.endTime === null ? null : Number(row.endTime),
    }));
  } finally {
    await clickhouse.close();
  }
}

/** The newest position of every partition of the camera-log, as x-min-position wants it. */
export async function endOfLog(env: Readonly<Record<string, string>>): Promise<string> {
  const { TRACKLOG_NAMESPACE } = loadConfig(namespaceEnv, env);
  const admin = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent")).admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(topicName(TRACKLOG_NAMESPACE, "camera-log"));
    const filled = ends.filter(({ high }) => Number(high) > 0);
    return filled.map(({ partition, high }) => `camera-log:${partition}:${Number(high) - 1}`).join(",");
  } finally {
    await admin.disconnect();
  }
}

const ALL_TIMES = ["1970-01-01T00:00:00Z", "2200-01-01T00:00:00Z"];

interface Asking {
  readonly field: "zoneIntersections" | "detections";
  readonly filter: string;
  readonly selection: string;
}

async function readPages<Node>(
  client: GraphQLClient,
  { dataSourceIds, minPosition, pageSize = 1_000 }: AskedHistory,
  { field, filter, selection }: Asking,
): Promise<Node[]> {
  const query = `query ($filter: ${filter}, $first: Int!, $after: String) {
    page: ${field}(filter: $filter, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { ${selection} } }
    }
  }`;
  const headers: Record<string, string> = minPosition === undefined ? {} : { "x-min-position": minPosition };
  const everything = { dataSourceId: { in: dataSourceIds }, time: { between: ALL_TIMES } };
  const nodes: Node[] = [];
  let after: string | null = null;
  for (;;) {
    const variables: object = { filter: everything, first: pageSize, after };
    const { page }: Answer<Node> = await client.ask(query, variables, headers);
    nodes.push(...page.edges.map(({ node }) => node));
    if (page.pageInfo.hasNextPage) {
      after = page.pageInfo.endCursor;
      continue;
    }
    if (nodes.length !== page.totalCount) {
      throw new Error(`the pages of ${field} hold ${nodes.length}, their total says ${page.totalCount}`);
    }
    return nodes;
  }
}
