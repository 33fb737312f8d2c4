import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A refusal of the gateway itself, in the form of the engine's errors. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";

  constructor(code: number, type: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`);
  }
}

const UNKNOWN_EXCEPTION = 1002;

/** A server answers these codes with these statuses, and every other code with 500. */
const STATUS: Readonly<Record<number, number>> = {
  36: 400, // BAD_ARGUMENTS
  47: 404, // UNKNOWN_IDENTIFIER
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  81: 404, // UNKNOWN_DATABASE
  164: 403, // READONLY
  516: 401, // AUTHENTICATION_FAILED
};

interface Failure {
  readonly code: number;
  readonly text: string;
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const code = /Code: (\d+)/.exec(message)?.[1];
  if (code !== undefined) return { code: Number(code), text: message };
  return {
    code: UNKNOWN_EXCEPTION,
    text: `Code: ${UNKNOWN_EXCEPTION}. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`,
  };
}

const PIECE_MS = 50;

export const EXCEPTION_TAG_HEADER = "X-ClickHouse-Exception-Tag";

/** Ends the response with the error, also when rows of the answer are already sent. */
export async function answerFailure(response: ServerResponse, error: unknown): Promise<void> {
  if (response.destroyed) return;
  const { code, text } = failureOf(error);
  if (!response.headersSent) {
    response.writeHead(STATUS[code] ?? 500, {
      "Content-Type": "text/plain; charset=UTF-8",
      "X-ClickHouse-Exception-Code": code,
    });
    response.end(`${text}\n`);
    return;
  }
  // The client recognises the error only in a chunk of its own: it must read the rows before it first.
  await delay(PIECE_MS);
  const tag = response.getHeader(EXCEPTION_TAG_HEADER);
  const length = Buffer.byteLength(text) + 1;
  response.end(`\r\n__exception__\r\n${tag}\r\n${text}\n${length} ${tag}\r\n__exception__\r\n`);
}
