// The custom scalars. Inside the service a DateTimeOffset is a number of milliseconds since the epoch (UTC).
import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from "graphql";
import { parseDateTime } from "../../../schemas/date-time.ts";

// Year, month and week parts, then time parts; at least one part, and one after a T.
const DURATION =
  /^[+-]?P(?=\d|T\d)(\d+(?:\.\d+)?Y)?(\d+(?:\.\d+)?M)?(\d+(?:\.\d+)?W)?(\d+(?:\.\d+)?D)?(T(?=\d)(\d+(?:\.\d+)?H)?(\d+(?:\.\d+)?M)?(\d+(?:\.\d+)?S)?)?$/;

export const scalars = {
  DateTimeOffset: {
    serialize: toIso,
    parseValue: (value: unknown) => toMilliseconds(value),
    parseLiteral: (node: ValueNode) => toMilliseconds(textOf(node), node),
  },
  DateTimeDuration: {
    serialize: (value: unknown) => toDuration(value),
    parseValue: (value: unknown) => toDuration(value),
    parseLiteral: (node: ValueNode) => toDuration(textOf(node), node),
  },
  JSON: {
    serialize: (value: unknown) => value,
    parseValue: (value: unknown) => value,
    parseLiteral: (node: ValueNode, variables?: Record<string, unknown> | null) =>
      valueFromASTUntyped(node, variables ?? undefined),
  },
};

function toIso(value: unknown): string {
  if (typeof value !== "number") throw new TypeError("a time is a number of milliseconds");
  return new Date(value).toISOString();
}

const textOf = (node: ValueNode): unknown => (node.kind === Kind.STRING ? node.value : undefined);

function toMilliseconds(value: unknown, node?: ValueNode): number {
  const time = typeof value === "string" ? parseDateTime(value) : undefined;
  if (time === undefined) {
    throw invalidValue("a DateTimeOffset is an existing ISO 8601 date and time with its UTC offset", node);
  }
  return time;
}

function toDuration(value: unknown, node?: ValueNode): string {
  if (typeof value !== "string" || !DURATION.test(value)) {
    throw invalidValue("a DateTimeDuration is an ISO 8601 duration such as PT5M", node);
  }
  return value;
}

/** With the node, graphql-js can report the location of the value in the document. */
const invalidValue = (message: string, node: ValueNode | undefined) =>
  new GraphQLError(message, { nodes: node ?? null });
