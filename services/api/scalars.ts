// The custom scalars. Inside the service a DateTimeOffset is a number of milliseconds since the epoch (UTC).
import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from "graphql";
import { parseDateTime } from "./date-time.ts";

// Year, month and week parts, then time parts; at least one part, and one after a T.
const DURATION =
  /^[+-]?P(?=\d|T\d)(\d+(?:\.\d+)?Y)?(\d+(?:\.\d+)?M)?(\d+(?:\.\d+)?W)?(\d+(?:\.\d+)?D)?(T(?=\d)(\d+(?:\.\d+)?H)?(\d+(?:\.\d+)?M)?(\d+(?:\.\d+)?S)?)?$/;

export const scalars = {
  DateTimeOffset: {
    serialize: toIso,
    parseValue: toMilliseconds,
    parseLiteral: (node: ValueNode) => toMilliseconds(node.kind === Kind.STRING ? node.value : undefined),
  },
  DateTimeDuration: {
    serialize: toDuration,
    parseValue: toDuration,
    parseLiteral: (node: ValueNode) => toDuration(node.kind === Kind.STRING ? node.value : undefined),
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

function toMilliseconds(value: unknown): number {
  const time = typeof value === "string" ? parseDateTime(value) : undefined;
  if (time === undefined) {
    throw new GraphQLError("a DateTimeOffset is an existing ISO 8601 date and time with its UTC offset");
  }
  return time;
}

function toDuration(value: unknown): string {
  if (typeof value !== "string" || !DURATION.test(value)) {
    throw new GraphQLError("a DateTimeDuration is an ISO 8601 duration such as PT5M");
  }
  return value;
}
