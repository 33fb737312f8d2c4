// Each member of a filter of the interface is a condition of the question, or is listed here with the reason why not.
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../../../../services/api/graphql/sdl.ts";
import { askedOf } from "../../../../../services/console/questions/address.ts";
import { questions } from "../../../../../services/console/questions/kinds.ts";
import type { Question } from "../../../../../services/console/questions/question.ts";
import { periodOf } from "../../../../../services/console/questions/times-of.ts";
import { filterValues } from "./filter-values.ts";

const schema = buildSchema(typeDefs);

/** Fields of Query with a filter of recorded things that are no kind of question. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  events: "the former names of activities, which are asked by their present ones",
  deviceSummary: "counts devices as they are now, at no time",
  videosSummary: "counts the files of videos, which the page of a camera lists",
};

const BEGAN = "the time of the question says the same, of what began in it";
/** Members that nothing on the page fills in, by the type of the filter. */
const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FilterTrackInput: { time: BEGAN },
  FilterZoneIntersectionInput: { time: BEGAN },
  FilterGeofenceIntersectionInput: { time: BEGAN },
  FilterActivityChronicleInput: {
    startTime: BEGAN,
    endTime: "the time of the question says the same, of what ended in it",
  },
  FilterActivityChronicleSummaryInput: {
    startTime: "the time of the question bounds it, and the count has what began in it",
    approvalStatus: "no activity has an approval",
  },
  FilterTracksSummaryInput: {
    "tag.id": "a tag is chosen by its name, which is as unique",
    "pointOfInterest.siteId": "a site is chosen by itself",
  },
  FilterDetectionsSummaryInput: { "tag.id": "a tag is chosen by its name, which is as unique" },
};

/** They join conditions: the form joins its own by "and", the values of one by "or", and may exclude these by "not". */
const JOINS = ["and", "or", "not"];
/** Filters whose members are comparisons, not fields. */
const COMPARISON = /^Filter(ID|String|IDList|StringList|DateTimeOffset|Boolean|Point|TimeRange|JSONFieldString)Input$/;
const STATUS = /^Filter\w+StatusInput$/;

/** Paths of the members that are compared, such as `dataSource.labels`. */
function membersOf(type: GraphQLInputType, above: readonly string[] = []): readonly string[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || COMPARISON.test(named.name) || STATUS.test(named.name)) return [above.join(".")];
  return Object.values(named.getFields())
    .filter(({ name, deprecationReason }) => !JOINS.includes(name) && deprecationReason == null)
    .flatMap(({ name, type: ofField }) => membersOf(ofField, [...above, name]));
}

/** Whether the filter says something about the member, also within a join. */
function hasMember(filter: unknown, path: readonly string[]): boolean {
  if (path.length === 0) return true;
  if (typeof filter !== "object" || filter === null) return false;
  const members = Object.entries(filter);
  return members.some(([name, value]) =>
    JOINS.includes(name) ? [value].flat().some((each) => hasMember(each, path)) : isOn(name, value, path),
  );
}

const isOn = (name: string, value: unknown, [first, ...rest]: readonly string[]): boolean =>
  name === first && !isNothing(value) && hasMember(value, rest);

/** An empty object passes everything. */
const isNothing = (value: unknown): boolean => typeof value === "object" && Object.keys(value ?? {}).length === 0;

/** The filters that the question sends: one for each condition, and one for each relation to a time. */
function filtersOf(question: Question): readonly unknown[] {
  const times = ["last=1h", "at=2026-01-01T00:00:00Z"];
  const relations = times.flatMap((time) =>
    question
      .relations(askedOf(new URLSearchParams(`of=${question.id}&${time}`)).time)
      .map(({ key }) => `${time}&relation=${key}`),
  );
  const conditions = question.filters.map((filter) =>
    String(new URLSearchParams({ last: "1h", [filter.key]: filterValues(filter)[0] ?? "" })),
  );
  return [...relations, ...conditions].map((query) => {
    const asked = askedOf(new URLSearchParams(`of=${question.id}&${query}`));
    return question.operation(asked, periodOf(asked, Date.UTC(2026, 0)), { first: 1, after: undefined }).variables[
      "filter"
    ];
  });
}

function filterTypeOf(question: Question): GraphQLInputType {
  const { document } = question.operation(askedOf(new URLSearchParams(`of=${question.id}`)), undefined, {
    first: 1,
    after: undefined,
  });
  const [operation] = parse(document).definitions as OperationDefinitionNode[];
  const ofFilter = operation?.variableDefinitions?.find(({ variable }) => variable.name.value === "filter");
  return typeFromAST(schema, ofFilter?.type as never) as GraphQLInputType;
}

test.each(questions.map((question) => [question.id, question] as const))(
  "%s offers each member of its filter that is not left out for a reason",
  (_, question) => {
    const type = filterTypeOf(question);
    const leftOut = Object.keys(LEFT_OUT[getNamedType(type).name] ?? {});
    const sent = filtersOf(question);
    const missing = membersOf(type).filter((path) => !sent.some((filter) => hasMember(filter, path.split("."))));

    expect(missing.toSorted()).toEqual(leftOut.toSorted());
  },
);

test("everything recorded that has a filter is a kind of question, or is not asked for a reason", () => {
  const asked = new Set(questions.map((question) => getNamedType(filterTypeOf(question)).name));
  const recorded = /Summary$|Chronicles$|Intersections$|^(tracks|detections|events)$/;
  const missing = Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(({ name }) => recorded.test(name))
    .filter(({ args }) => args.some(({ name, type }) => name === "filter" && !asked.has(getNamedType(type).name)));

  expect(missing.map(({ name }) => name).toSorted()).toEqual(Object.keys(NOT_ASKED).toSorted());
});

test("a member that no condition names would be found", () => {
  expect(hasMember({ time: {} }, ["time"])).toBe(false);
  expect(hasMember({ dataSource: { id: { eq: "a" } } }, ["dataSource", "labels"])).toBe(false);
  expect(hasMember({ and: [{ dataSource: { labels: { in: ["a"] } } }] }, ["dataSource", "labels"])).toBe(true);
});
