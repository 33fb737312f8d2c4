import { GatewayError } from "./failure.ts";
import type { SqlRequest } from "./request.ts";
import { identifier, quoted } from "./sql.ts";

/** Fields of the HTTP interface that are not settings of the engine. */
const NO_SETTINGS = new Set([
  "query",
  "query_id",
  "database",
  "default_format",
  "user",
  "password",
  "role",
  "quota_key",
  "compress",
  "decompress",
  "wait_end_of_query",
  "buffer_size",
  "stacktrace",
  "client_protocol_version",
  "log_comment",
]);

const SETTING_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** A server treats GET in the same way: no writes, but settings are allowed. */
const READ_ONLY = "2";

/** Default of max_query_size: a longer text is not parsed. */
const MAX_TEXT_BYTES = 262_144;

/**
 * Returns the texts that prepare a connection for one request: its database, its settings, its parameters. A KILL finds
 * the query by its tag in log_comment, because the engine gives it a query id of its own.
 */
export function preparation(request: SqlRequest, tag: string): readonly string[] {
  const settings = preparing(request, tag);
  const bytes = Buffer.byteLength(settings);
  if (bytes < MAX_TEXT_BYTES) return [settings];
  // A server receives parameters separately from the text whose size is limited. Here they become part of that text, so
  // the limit is raised.
  const asked = request.fields.get("max_query_size") ?? String(MAX_TEXT_BYTES);
  const text = `${settings}, max_query_size = ${quoted(asked)}`;
  return [`SET max_query_size = ${2 * bytes}`, text];
}

function preparing(request: SqlRequest, tag: string): string {
  if (request.fields.has("session_id")) throw new GatewayError(36, "BAD_ARGUMENTS", "Sessions are not supported here");
  const settings = [...request.fields]
    .filter(([name]) => !NO_SETTINGS.has(name))
    .map(([name, value]) => {
      if (!SETTING_NAME.test(name)) throw new GatewayError(115, "UNKNOWN_SETTING", `Unknown setting ${name}`);
      return `${name} = ${quoted(value)}`;
    });
  if (request.readOnly && !request.fields.has("readonly")) settings.push(`readonly = ${quoted(READ_ONLY)}`);
  const database = requestedDatabase(request);
  // A connection is in `default` anyway, and the engine refuses to switch to it by name.
  const use = database === "default" ? "" : `USE ${identifier(database)}; `;
  return `${use}SET ${[`log_comment = ${quoted(tag)}`, ...settings].join(", ")}`;
}

export const requestedDatabase = (request: SqlRequest): string => request.fields.get("database") ?? "default";
