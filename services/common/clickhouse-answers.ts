// Refuses answers that are not ClickHouse's. A proxy in front of it may answer with pages of its own, even with status
// 200. The client would read such a page as an empty result, or as the acknowledgement of an insert.
import type { ClickHouseClient, ResponseHeaders } from "@clickhouse/client";
import { storeErrors } from "./metrics/stores.ts";
import { codeOf, verdictOf } from "./store-away.ts";

/** `store-away.ts` lists this code, so callers retry as if ClickHouse were unavailable. */
class ForeignAnswerError extends Error {
  override readonly name = "ForeignAnswerError";
  readonly code = "FOREIGN_ANSWER";
}

interface Answer {
  readonly response_headers: ResponseHeaders;
  /** False when the client sent nothing, because there were no rows. */
  readonly executed?: boolean;
  /** Ends the reading of a result. */
  readonly close?: () => void;
}

/** Makes the client reject answers that are not ClickHouse's. Returns the same client. */
export function refuseForeignAnswers(client: ClickHouseClient): ClickHouseClient {
  const query = client.query.bind(client);
  const insert = client.insert.bind(client);
  const command = client.command.bind(client);
  const exec = client.exec.bind(client);
  client.query = (params) => answered(query(params));
  client.insert = (params) => answered(insert(params));
  client.command = (params) => answered(command(params));
  client.exec = (params) =>
    answered(exec(params).then((result) => ({ ...result, close: () => void result.stream.destroy() })));
  return client;
}

async function answered<Result extends Answer>(asked: Promise<Result>): Promise<Result> {
  try {
    const result = await asked;
    if (result.executed === false || Object.keys(result.response_headers).some(isClickHouseHeader)) return result;
    result.close?.();
    throw new ForeignAnswerError(textOf("no header of ClickHouse"));
  } catch (error) {
    const failure = isPage(error) ? new ForeignAnswerError(textOf(error.message)) : error;
    storeErrors.inc({ store: "clickhouse", verdict: verdictOf(failure) });
    throw failure;
  }
}

const isClickHouseHeader = (name: string): boolean => name.startsWith("x-clickhouse-");

/** Texts of errors by which @clickhouse/client 1.23 reports that there was no answer. These errors have no code. */
const WITHOUT_ANSWER = new Set(["Timeout error.", "The user aborted a request."]);
/** ClickHouse's own texts have this form. The client finds no code in some of them. */
const OWN_TEXT = /Code: \d+/;

/** The client makes a bare Error of the body of every failed answer in which it finds no code of ClickHouse. */
const isPage = (error: unknown): error is Error =>
  error instanceof Error &&
  error.constructor === Error &&
  codeOf(error) === undefined &&
  !WITHOUT_ANSWER.has(error.message) &&
  !OWN_TEXT.test(error.message);

const SHOWN_CHARACTERS = 200;

const textOf = (found: string): string =>
  `the answer is not ClickHouse's: ${found === "" ? "an empty body" : found.slice(0, SHOWN_CHARACTERS)}`;
