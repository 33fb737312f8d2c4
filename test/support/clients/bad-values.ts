// Sends strange values to every root field of a schema, and names the calls that the server neither answers nor
// refuses with a code.
import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isRequiredArgument,
} from "graphql";
import type { RawClient } from "../../integration/feed/raw-client.ts";
import { LOGIC, sampleObject, sampleOf, strangeValuesOf } from "../random/input-values.ts";
import { until } from "../running/processes.ts";
import type { GraphQLClient } from "./graphql-client.ts";

export type Field = GraphQLField<unknown, unknown>;

export interface Case {
  readonly field: Field;
  readonly args: Readonly<Record<string, unknown>>;
}

const REFUSALS = new Set(["BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"]);
/** Fields of one document; the API allows 50. */
const TOGETHER = 15;
/** Documents on their way at a time: an update of a chronicle waits for the history to have the one before. */
const AT_ONCE = 8;

/** Calls of the field with one strange value each. A filter takes many of them at once, joined by OR. */
export function strangeCases(field: Field): Case[] {
  const usual = usualArguments(field);
  return field.args.flatMap((argument) =>
    valuesFor(argument).map((value) => ({ field, args: { ...usual, [argument.name]: value } })),
  );
}

export const usualArguments = (field: Field): Case["args"] =>
  Object.fromEntries(field.args.filter(isRequiredArgument).map(({ name, type }) => [name, sampleOf(type)]));

function valuesFor({ type }: GraphQLArgument): unknown[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || named.getFields()["or"] === undefined) return strangeValuesOf(type);
  const members = Object.values(named.getFields()).filter(({ name }) => !LOGIC.has(name));
  return members.map(({ name, type: inner }) => ({
    ...sampleObject(named),
    or: strangeValuesOf(inner).map((value) => ({ ...sampleObject(named), [name]: value })),
  }));
}

/**
 * Resolves with each case that the server refused with a status or a code that it may not use. Cases of one document
 * can hide one another, so a document that fails is sent again in parts.
 */
export async function misanswered(client: GraphQLClient, operation: "query" | "mutation", cases: readonly Case[]) {
  const faults: string[] = [];
  const open = chunks(cases);
  const work = async () => {
    for (let asked = open.pop(); asked !== undefined; asked = open.pop()) {
      const {
        data,
        errors = [],
        status,
      } = await client.send<Record<string, unknown>>(
        documentOf(operation, asked),
        Object.fromEntries(
          asked.flatMap(({ args }, i) => Object.entries(args).map(([name, value]) => [`${name}${i}`, value])),
        ),
      );
      const codes = [...new Set(errors.map(({ extensions }) => extensions.code))];
      const refused = status >= 500 || codes.some((code) => !REFUSALS.has(code));
      const [only] = asked;
      // One case can make the server refuse the whole document, or hide the answers of the others.
      const parts =
        asked.length > 1
          ? refused || data == null
            ? halves(asked)
            : []
          : only && errors.length > 0
            ? byBranches(only)
            : [];
      if (parts.length > 0) open.push(...parts);
      else if (refused) faults.push(`${codes}: ${only?.field.name}(${JSON.stringify(only?.args).slice(0, 300)})`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults;
}

/** The field with arguments for each case, under the aliases f0, f1, ... */
function documentOf(operation: string, cases: readonly Case[]): string {
  const declared = cases.flatMap(({ field }, i) => field.args.map(({ name, type }) => `$${name}${i}: ${type}`));
  const fields = cases.map(({ field, args }, i) => {
    const given = Object.keys(args).map((name) => `${name}: $${name}${i}`);
    return `f${i}: ${field.name}${given.length > 0 ? `(${given.join(", ")})` : ""} ${selectionOf(field)}`;
  });
  const used = declared.filter((each) => fields.some((field) => field.includes(`${each.split(":")[0]}`)));
  return `${operation} ${used.length > 0 ? `(${used.join(", ")})` : ""} { ${fields.join("\n")} }`;
}

export function selectionOf(field: Field): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return "";
  return type.name.endsWith("Connection") ? "{ edges { node { __typename } } }" : "{ __typename }";
}

const chunks = (cases: readonly Case[]): (readonly Case[])[] =>
  Array.from({ length: Math.ceil(cases.length / TOGETHER) }, (_, i) => cases.slice(i * TOGETHER, (i + 1) * TOGETHER));

function halves<T>(list: readonly T[]): (readonly T[])[] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

/** A filter of several branches as two filters, of half of them each. */
function byBranches({ field, args }: Case): (readonly Case[])[] {
  for (const [name, value] of Object.entries(args)) {
    const branches = value !== null && typeof value === "object" && "or" in value ? value.or : undefined;
    if (!Array.isArray(branches) || branches.length < 2) continue;
    return halves(branches).map((or) => [{ field, args: { ...args, [name]: { ...(value as object), or } } }]);
  }
  return [];
}

/**
 * Does the same for subscriptions, which the server may begin or refuse. The server must allow one operation at a
 * time (API_SUBSCRIPTION_OPERATIONS): then a completed query shows that it has decided on the subscription before.
 */
export async function missubscribed(connection: RawClient, cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [i, each] of cases.entries()) {
    const [id, after] = [`${each.field.name}${i}`, `after ${each.field.name}${i}`];
    const variables = Object.fromEntries(Object.entries(each.args).map(([name, value]) => [`${name}0`, value]));
    connection.send({ id, type: "subscribe", payload: { query: documentOf("subscription", [each]), variables } });
    connection.send({ id: after, type: "subscribe", payload: { query: "{ __typename }" } });
    await until(() => connection.messages.some((message) => message.id === after && message.type === "complete"));
    connection.send({ id, type: "complete" });
    const error = connection.messages.find((message) => message.id === id && message.type === "error");
    const code = error?.payload[0].extensions.code;
    if (error !== undefined && !REFUSALS.has(code))
      faults.push(`${code}: ${id}(${JSON.stringify(each.args).slice(0, 300)})`);
  }
  return faults;
}
