import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EngineConnection } from "./engine.ts";
import { isSelect } from "./sql.ts";

/** The engine starts a format again in each chunk; only these formats give the same bytes in chunks and as a whole. */
const STREAMABLE = new Set([
  "JSONEachRow",
  "JSONCompactEachRow",
  "JSONStringsEachRow",
  "CSV",
  "TSV",
  "TSVRaw",
  "TabSeparated",
  "TabSeparatedRaw",
  "RowBinary",
  "Native",
  "MsgPack",
]);

export const canStream = (sql: string, format: string): boolean => STREAMABLE.has(format) && isSelect(sql);

/** Sends the rows while the engine produces them, at the pace of the reader; ends early when the reader is gone. */
export async function streamRows(connection: EngineConnection, sql: string, format: string, response: ServerResponse) {
  for await (const bytes of connection.stream(sql, format)) {
    if (response.destroyed) return;
    if (!response.write(bytes)) await drainOrClose(response);
  }
  response.end();
}

async function drainOrClose(response: ServerResponse): Promise<void> {
  // A closed response never emits "close" again: waiting for it would hold this request's slot for ever.
  if (response.destroyed || !response.writableNeedDrain) return;
  const waiting = new AbortController();
  const options = { signal: waiting.signal };
  try {
    await Promise.race([once(response, "drain", options), once(response, "close", options)]);
  } finally {
    waiting.abort();
  }
}
