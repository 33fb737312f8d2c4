import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MIB } from "../../../schemas/units.ts";
import { GatewayError } from "./failure.ts";

export interface SqlRequest {
  readonly sql: string;
  /** Rows of an INSERT, when they are separate from the statement. */
  readonly data: Buffer;
  /** All other fields of the request: database, settings, param_*, ... */
  readonly fields: ReadonlyMap<string, string>;
  readonly readOnly: boolean;
  /** True when a header asks for streaming, which is not right for every statement: see select.ts. */
  readonly wantsStream: boolean;
  readonly acceptsGzip: boolean;
}

export const STREAM_HEADER = "x-tracklog-stream";

const MAX_BODY_BYTES = 256 * MIB;
/** Defaults of a server (http_max_fields, http_max_field_value_size): a request that works here must work there. */
const MAX_FIELDS = 1_000;
const MAX_FIELD_BYTES = 128 * 1024;

const unzip = promisify(gunzip);

/** Reads the whole request. Throws GatewayError when it is too large or malformed. */
export async function readRequest(request: IncomingMessage): Promise<SqlRequest> {
  const fields = new Map(new URL(request.url ?? "/", "http://gateway").searchParams);
  let body = await readBody(request);
  const contentType = request.headers["content-type"] ?? "";
  if (contentType.startsWith("multipart/form-data")) {
    for (const [name, value] of await formFields(body, contentType)) fields.set(name, value);
    body = Buffer.alloc(0);
  }
  refuseTooMany(fields);
  const query = fields.get("query") ?? "";
  const accepts = request.headers["accept-encoding"] ?? "";
  return {
    sql: query === "" ? body.toString() : query,
    data: query === "" ? Buffer.alloc(0) : body,
    fields,
    readOnly: request.method === "GET",
    wantsStream: request.headers[STREAM_HEADER] !== undefined,
    acceptsGzip: fields.get("enable_http_compression") === "1" && accepts.includes("gzip"),
  };
}

function refuseTooMany(fields: ReadonlyMap<string, string>): void {
  const refuse = (what: string) => new GatewayError(1000, "POCO_EXCEPTION", `HTML Form Exception: ${what}`);
  if (fields.size > MAX_FIELDS) throw refuse("Too many form fields");
  for (const value of fields.values())
    if (Buffer.byteLength(value) > MAX_FIELD_BYTES) throw refuse("Field value too long");
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, size);
  if (request.headers["content-encoding"] !== "gzip") return body;
  try {
    return await unzip(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new GatewayError(36, "BAD_ARGUMENTS", "The body is not gzip");
  }
}

const tooLarge = () => new GatewayError(209, "TOO_LARGE_BODY", `The body is larger than ${MAX_BODY_BYTES} bytes`);

async function formFields(body: Buffer, contentType: string): Promise<[string, string][]> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  return [...form].map(([name, value]) => {
    if (typeof value !== "string") throw new GatewayError(36, "BAD_ARGUMENTS", "External tables are not supported");
    return [name, value];
  });
}
