// Fetches one schema by its id from the registry. The registry's own answer about the schema is final. Every other
// answer counts as none: proxies before a registry have a 404 of their own, and refused credentials say nothing about
// the schema.
import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overTls, type RequestOptions } from "node:https";
import type { DecodeFailure } from "../../../schemas/codec.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { authorizationOf, type RegistryConfig, registryAgent } from "./client.ts";
import { RegistryUnavailable } from "./registry-unavailable.ts";

export interface RegisteredSchema {
  readonly ok: true;
  /** Absent for Avro. */
  readonly schemaType?: unknown;
  readonly schema: string;
  readonly references?: unknown;
}

/** @returns undefined when the registry has no such schema. */
export type FetchSchema = (id: number) => Promise<RegisteredSchema | DecodeFailure | undefined>;

const OK = 200;
const NOT_FOUND = 404;
/** Codes for subject, version and schema not found are 40401 to 40403. */
const NOT_FOUND_CODES = { least: 40_400, below: 40_500 };
const REQUEST_TIMEOUT_MS = 30_000;
/** Limit of an answer with a schema. The answer with the largest schema of tracklog has 3.3 kB. */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Avoids the registry's client, which compiles every kind of schema, no matter who registered it, and keeps each for
 * the life of the process.
 */
export function createFetchSchema(config: RegistryConfig): FetchSchema {
  const { host, headers } = authorizationOf(config.SCHEMA_REGISTRY_URL);
  const agent = registryAgent(config);
  return async (id) => {
    const { status, text } = await ask(`${host}/schemas/ids/${id}`, { headers, agent });
    if (status === NOT_FOUND && text !== undefined && isNotFound(jsonOf(text))) return undefined;
    if (status !== OK) throw new RegistryUnavailable(`the registry's address answered with ${status}`);
    if (text === undefined) return { ok: false, reason: `it is larger than ${MAX_ANSWER_BYTES} bytes` };
    const answer = jsonOf(text);
    if (!isSchema(answer))
      throw new RegistryUnavailable("the registry's address answered with something else than a schema");
    return { ...answer, ok: true };
  };
}

async function ask(url: string, options: RequestOptions): Promise<{ status: number; text: string | undefined }> {
  try {
    const answer = await get(url, { ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    return { status: answer.statusCode ?? 0, text: await readBounded(answer) };
  } catch (cause) {
    throw new RegistryUnavailable("the registry does not answer", { cause });
  }
}

/** fetch() takes no certificate authorities of our own. */
function get(url: string, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.startsWith("https:") ? overTls : overHttp;
  request(url, options, resolve).on("error", reject).end();
  return promise;
}

/** @returns undefined when the body has too many bytes. */
async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection of the answer.
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const isSchema = (answer: unknown): answer is Omit<RegisteredSchema, "ok"> =>
  typeof answer === "object" && answer !== null && "schema" in answer && typeof answer.schema === "string";

function isNotFound(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || !("error_code" in answer)) return false;
  const { error_code: code } = answer;
  return typeof code === "number" && code >= NOT_FOUND_CODES.least && code < NOT_FOUND_CODES.below;
}
