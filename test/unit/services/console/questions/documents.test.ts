// Every document and every filter of every kind of question, against the schema of the API.
import {
  buildSchema,
  coerceInputValue,
  type GraphQLInputType,
  getNamedType,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
} from "graphql";
import { expect, test } from "vitest";
import { typeDefs } from "../../../../../services/api/graphql/sdl.ts";
import { askedOf } from "../../../../../services/console/questions/address.ts";
import { questions } from "../../../../../services/console/questions/kinds.ts";
import type { Operation, Question } from "../../../../../services/console/questions/question.ts";
import { periodOf } from "../../../../../services/console/questions/times-of.ts";
import { filterValues } from "./filter-values.ts";

const schema = buildSchema(typeDefs);

/** Returns what is wrong with an operation. */
function faultsOf({ document, variables }: Operation): string[] {
  const parsed = parse(document);
  const [operation] = parsed.definitions as OperationDefinitionNode[];
  const faults = validate(schema, parsed).map(({ message }) => message);
  for (const { variable, type } of operation?.variableDefinitions ?? []) {
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
    coerceInputValue(variables[variable.name.value], inputType, (path, _value, { message }) =>
      faults.push(`${variable.name.value}.${path.join(".")}: ${message} (${getNamedType(inputType).name})`),
    );
  }
  return faults;
}

function operationsOf(question: Question, query: string): readonly Operation[] {
  const asked = askedOf(new URLSearchParams(`of=${question.id}&${query}`));
  const period = periodOf(asked, Date.UTC(2026, 10, 24));
  const total = question.total === undefined ? [] : [question.total.operation(asked, period)];
  return [question.operation(asked, period, { first: 10, after: undefined }), ...total];
}

const queryOf = (entries: readonly (readonly [string, string])[]) =>
  String(new URLSearchParams(entries.map(([...entry]) => entry)));

const everyFilter = (question: Question): string =>
  queryOf(question.filters.flatMap((filter) => filterValues(filter).map((value) => [filter.key, value] as const)));

/** Each relation to a period and to a moment. */
const everyRelation = (question: Question): readonly string[] =>
  ["last=1h", "at=1000"].flatMap((time) =>
    question
      .relations(askedOf(new URLSearchParams(`of=${question.id}&${time}`)).time)
      .map(({ key }) => `${time}&relation=${key}`),
  );

test.each(questions.map((question) => [question.id, question] as const))(
  "%s asks what the schema has, with any filter, time, sort and group",
  (_, question) => {
    const queries = [
      "",
      everyFilter(question),
      ...question.filters.flatMap((filter) => filterValues(filter).map((value) => queryOf([[filter.key, value]]))),
      ...everyRelation(question),
      ...question.filters.flatMap((filter) => [
        queryOf(filterValues(filter).map((value) => [filter.key, value] as const)),
        queryOf([...filterValues(filter).map((value) => [filter.key, value] as const), ["not", filter.key]]),
      ]),
      `${everyFilter(question)}&${queryOf(question.filters.map(({ key }) => ["not", key] as const))}`,
      ...["last=7d", "last=always", "at=1000", "from=0&to=1000"],
      ...question.sorts.flatMap(({ key }) => [`sort=${key}`, `sort=-${key}`]),
      ...question.groups.flatMap(({ key }) => [`by=${key}`, `by=${key}&size=none`, `by=${key}&size=DAYS`]),
    ];
    for (const query of queries) {
      const faults = operationsOf(question, query).flatMap(faultsOf);
      expect({ query, faults }).toEqual({ query, faults: [] });
    }
  },
);

test("a document with a field that is not there would be found", () => {
  expect(faultsOf({ document: "query ($a: Int!) { nothing(a: $a) }", variables: { a: "x" } })).toHaveLength(2);
});
