// Runs a request whose turn has come. Its own connection is prepared, used and closed, even after an error.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { loop } from "../../common/loop.ts";
import type { Engine, EngineConnection, RunResult } from "./engine.ts";
import { EXCEPTION_TAG_HEADER, GatewayError } from "./failure.ts";
import { insertData } from "./insert.ts";
import type { SqlRequest } from "./request.ts";
import { canStream, streamRows } from "./select.ts";
import { preparation, requestedDatabase } from "./settings.ts";
import { formatOf, isInsert, quoted } from "./sql.ts";

export interface RunContext {
  readonly engine: Engine;
  /** Directory for the data of inserts that cannot go inline. */
  readonly spoolDir: string;
}

const KILL_EVERY_MS = 100;

const zip = promisify(gzip);

/** Writes the answer to the response. Rejects with the engine's error, which the caller must write. */
export async function runRequest(context: RunContext, request: SqlRequest, response: ServerResponse): Promise<void> {
  const tag = randomUUID();
  let done = false;
  const onClose = () => void killUntil(context.engine, tag, () => done);
  const connection = context.engine.connect();
  response.once("close", onClose);
  try {
    for (const text of preparation(request, tag)) await connection.run(text, "TabSeparated");
    await refuseUnlessOne(connection, request);
    if (!response.destroyed) await answer(context, connection, request, response);
  } finally {
    done = true;
    response.off("close", onClose);
    connection.close();
  }
}

/**
 * Kills the query with this tag until its request is done: a KILL that arrives before the query is registered finds
 * nothing. Never uses SYNC, which does not return.
 */
async function killUntil(engine: Engine, tag: string, isDone: () => boolean): Promise<void> {
  const killUnlessDone = async () => {
    if (isDone()) return true;
    const connection = engine.connect();
    try {
      await connection.run(`KILL QUERY WHERE Settings['log_comment'] = ${quoted(tag)} ASYNC`, "TabSeparated");
    } catch (error) {
      console.error("kill failed", error);
    } finally {
      connection.close();
    }
    return undefined;
  };
  await loop(killUnlessDone, { pauseMs: KILL_EVERY_MS });
}

/** A server refuses several statements in one text; the engine would run them all. */
async function refuseUnlessOne(connection: EngineConnection, request: SqlRequest): Promise<void> {
  const count = await connection.countStatements(request.sql, requestedDatabase(request));
  if (count === 1) return;
  // The engine parses the text as a value here, and reports the syntax error in its own words.
  if (count === 0) await connection.run(`SELECT formatQuery(${quoted(request.sql)})`, "TabSeparated");
  throw new GatewayError(62, "SYNTAX_ERROR", "Syntax error (Multi-statements are not allowed)");
}

async function answer(
  context: RunContext,
  connection: EngineConnection,
  request: SqlRequest,
  response: ServerResponse,
) {
  const { sql, data } = request;
  if (data.length > 0 && !isInsert(sql)) {
    throw new GatewayError(36, "BAD_ARGUMENTS", "Only an INSERT takes data in the body");
  }
  if (data.length > 0) {
    const result = await insertData(connection, sql, data, context.spoolDir);
    response.setHeader("X-ClickHouse-Summary", summaryOf(result)).end();
    return;
  }
  const format = formatOf(sql) ?? request.fields.get("default_format") ?? "TabSeparated";
  response.setHeader("Content-Type", format.startsWith("JSON") ? "application/json" : "application/octet-stream");
  response.setHeader("X-ClickHouse-Format", format);
  if (request.wantsStream && canStream(sql, format)) {
    response.setHeader(EXCEPTION_TAG_HEADER, tagOf());
    return streamRows(connection, sql, format, response);
  }
  const result = await connection.run(sql, format);
  response.setHeader("X-ClickHouse-Summary", summaryOf(result));
  if (!request.acceptsGzip) return void response.end(result.bytes);
  response.setHeader("Content-Encoding", "gzip").end(await zip(result.bytes ?? Buffer.alloc(0)));
}

/** Like a server's tag, 16 characters long. */
const tagOf = (): string => randomUUID().replaceAll("-", "").slice(0, 16);

function summaryOf(result: RunResult): string {
  const numbers = {
    read_rows: result.rowsRead ?? 0,
    read_bytes: result.bytesRead ?? 0,
    written_rows: result.rowsWritten ?? 0,
    written_bytes: result.bytesWritten ?? 0,
    total_rows_to_read: 0,
    result_rows: 0,
    result_bytes: result.bytes?.length ?? 0,
    elapsed_ns: Math.round(result.elapsed * 1e9),
  };
  return JSON.stringify(Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])));
}
