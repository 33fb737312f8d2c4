// Messages of clients in the graphql-transport-ws protocol, and its close codes.
import { isJsonObject, jsonOf } from "../../../schemas/json.ts";

export const PROTOCOL = "graphql-transport-ws";

/**
 * The same protocol for clients that get thousands of messages a second: a frame of the server may have several
 * messages, one in each line. JSON without white space has no line ends, so a message is always one line.
 */
export const LINES_PROTOCOL = "graphql-transport-ws.lines";

export const closeCodes = {
  goingAway: 1001,
  /** Corresponds to the 503 of an upgrade: clients try again later. */
  tryAgainLater: 1013,
  badRequest: 4400,
  internal: 4500,
  unauthorized: 4401,
  subprotocol: 4406,
  initTimeout: 4408,
  subscriberExists: 4409,
  tooManyInits: 4429,
  /** Our own code: the client reads too slowly. After 4429 clients would give up for ever. */
  tooSlow: 4430,
  /** Our own code: the client did not answer a ping before the next one was due. */
  noAnswer: 4431,
} as const;

export type ClientMessage =
  | { readonly type: "connection_init" | "pong"; readonly payload: Members }
  | { readonly type: "ping"; readonly payload: Members | undefined }
  | {
      readonly type: "subscribe";
      readonly id: string;
      /** The payload has the form of the protocol. Wrong values concern this operation, not the connection. */
      readonly payload: Members;
      /** The whole message in its original form. */
      readonly text: string;
    }
  | { readonly type: "complete"; readonly id: string };

type Members = Readonly<Record<string, unknown>>;

/** @returns undefined when the text is not a message of the protocol. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  const message = jsonOf(text);
  if (!isJsonObject(message)) return undefined;
  const { type, id, payload } = message;
  if (type === "subscribe") return isId(id) && isOperation(payload) ? { type, id, payload, text } : undefined;
  if (payload != null && !isJsonObject(payload)) return undefined;
  const members = isJsonObject(payload) ? payload : undefined;
  switch (type) {
    case "connection_init":
    case "pong":
      return { type, payload: members ?? {} };
    case "ping":
      return { type, payload: members };
    case "complete":
      return isId(id) ? { type, id } : undefined;
    default:
      return undefined;
  }
}

const isOperation = (payload: unknown): payload is Members =>
  isJsonObject(payload) &&
  typeof payload["query"] === "string" &&
  (payload["operationName"] == null || typeof payload["operationName"] === "string") &&
  (payload["variables"] == null || isJsonObject(payload["variables"])) &&
  (payload["extensions"] == null || isJsonObject(payload["extensions"]));

const isId = (id: unknown): id is string => typeof id === "string" && id !== "";
