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
import type { Filter, Operation, Question } from "../../../../../services/console/questions/question.ts";
import { periodOf } from "../../../../../services/console/questions/times-of.ts";

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

const valuesOf = ({ from }: Filter): readonly string[] =>
  typeof from === "string" ? ["a", "b"] : from.map(({ key }) => key);

function operationsOf(question: Question, query: string): readonly Operation[] {
  const asked = askedOf(new URLSearchParams(`of=${question.id}&${query}`));
  const period = periodOf(asked, Date.UTC(2026, 10, 24));
  const total = question.total === undefined ? [] : [question.total.operation(asked, period)];
  return [question.operation(asked, period, { first: 10, after: undefined }), ...total];
}

const everyFilter = (question: Question): string =>
  question.filters.flatMap((filter) => valuesOf(filter).map((value) => `${filter.key}=${value}`)).join("&");

test.each(questions.map((question) => [question.id, question] as const))(
  "%s asks what the schema has, with any filter, time, sort and group",
  (_, question) => {
    const queries = [
      "",
      everyFilter(question),
      ...question.filters.map((filter) => `${filter.key}=${valuesOf(filter)[0]}`),
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
