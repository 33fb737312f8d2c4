import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { repeatWhileBusy } from "./clickhouse-cluster.ts";

interface BytesInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly format: "Native";
  readonly bytes: Buffer;
  readonly settings: ClickHouseSettings;
}

/**
 * Inserts rows that are encoded already: `client.insert` accepts objects, and streams of text only. The caller must be
 * able to repeat a failed insert (see insertInTurn).
 */
export async function insertBytes(client: ClickHouseClient, insert: BytesInsert): Promise<void> {
  const { table, columns, format, bytes, settings } = insert;
  const query = `INSERT INTO ${table} (${columns.join(", ")}) FORMAT ${format}`;
  await repeatWhileBusy(async () => {
    // A stream can be sent once.
    const values = Readable.from([bytes], { objectMode: false });
    const { stream } = await client.exec({ query, values, clickhouse_settings: settings });
    await finished(stream.resume());
  });
}
