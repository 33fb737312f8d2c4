// How many objects of a list match filters whose answer is known beforehand: none of them, or all.
import { type GraphQLInputField, getNamedType, isInputObjectType, isRequiredArgument } from "graphql";
import type { Field } from "../clients/bad-values.ts";
import type { GraphQLClient } from "../clients/graphql-client.ts";
import { LOGIC, STRANGE_TEXTS, sampleObject } from "../random/input-values.ts";

type Filter = Readonly<Record<string, unknown>>;

const MANY_IDS = Array.from({ length: 10_000 }, (_, i) => `id-${i}`);
/** The API allows this depth. It is even, so that nested negations cancel out. */
const DEPTH = 18;

/** Conditions that no object meets, by the type of a filter's member. */
const impossible: Readonly<Record<string, readonly Filter[]>> = {
  FilterIDInput: [...STRANGE_TEXTS.map((eq) => ({ eq })), { in: STRANGE_TEXTS }, { in: [] }, { in: MANY_IDS }],
  FilterStringInput: [
    ...STRANGE_TEXTS.flatMap((text) => [{ eq: text }, { like: text }]),
    ...["%", "__", "\\"].map((like) => ({ like })),
    { in: STRANGE_TEXTS },
    { in: MANY_IDS },
  ],
  FilterIDListInput: [{ in: STRANGE_TEXTS }, { eq: STRANGE_TEXTS }, { in: MANY_IDS }],
  FilterStringListInput: [{ in: STRANGE_TEXTS }, { eq: STRANGE_TEXTS }, { in: MANY_IDS }],
  FilterJSONFieldStringInput: [
    { path: ["no", "such"], filter: { attributeExists: true } },
    { path: STRANGE_TEXTS, filter: { like: "" } },
    { path: ["0", "1"], filter: { eq: "%" } },
  ],
};

/** Counts that are wrong: empty when all is right. */
export async function wrongCounts(client: GraphQLClient, field: Field): Promise<Record<string, unknown>> {
  const { argument, type, usual } = filterOf(field);
  const count = async (filters: Readonly<Record<string, Filter>>): Promise<Record<string, number>> => {
    const names = Object.keys(filters);
    const declared = names.map((name) => `$${name}: ${argument.type}`).join(", ");
    const fields = names.map((name) => `${name}: ${field.name}(filter: $${name}) { totalCount }`).join(" ");
    const data = await client.ask<Record<string, { totalCount: number }>>(`query (${declared}) { ${fields} }`, filters);
    return Object.fromEntries(Object.entries(data).map(([name, { totalCount }]) => [name, totalCount]));
  };
  const { all, ...deep } = await count({
    all: usual,
    and: nested("and", usual, usual),
    or: nested("or", usual, usual),
    not: nested("not", usual, usual),
  });
  const wrong: Record<string, unknown> = Object.values(deep).every((each) => each === all) ? {} : { all, ...deep };
  for (const member of Object.values(type.getFields()).filter(({ name }) => !LOGIC.has(name))) {
    const branches = impossibleBranches(member, usual);
    if (branches.length === 0) continue;
    const filter = { ...usual, or: branches };
    const counts = await count({ none: filter, deep: nested("not", filter, usual), rest: { ...usual, not: filter } });
    if (counts["none"] !== 0 || counts["deep"] !== 0 || counts["rest"] !== all) wrong[member.name] = { all, ...counts };
  }
  return wrong;
}

/** The filter that lets the whole scene through, 50 times within itself. */
export function deepest(field: Field): Filter {
  const { usual } = filterOf(field);
  return nested("and", usual, usual, 50);
}

function filterOf(field: Field) {
  const argument = field.args.find(({ name }) => name === "filter");
  const type = argument && getNamedType(argument.type);
  if (argument === undefined || !isInputObjectType(type)) throw new Error(`${field.name} has no filter`);
  return { argument, type, usual: isRequiredArgument(argument) ? sampleObject(type) : {} };
}

const impossibleBranches = ({ name, type }: GraphQLInputField, usual: Filter): Filter[] =>
  (impossible[getNamedType(type).name] ?? []).map((condition) => ({ ...usual, [name]: condition }));

function nested(operator: "and" | "or" | "not", filter: Filter, usual: Filter, depth = DEPTH): Filter {
  let deep = filter;
  for (let i = 0; i < depth; i++) deep = { ...usual, [operator]: operator === "not" ? deep : [deep] };
  return deep;
}
