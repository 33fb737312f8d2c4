import type { ClickHouseClient } from "@clickhouse/client";

/** Offset of the next message to project, by partition; a partition never projected is absent. `topic` is the broker's name. */
export declare function projectedUpTo(client: ClickHouseClient, topic: string): Promise<Map<number, number>>;
