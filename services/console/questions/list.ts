// Questions that are answered by a connection: pages of nodes.
import { filterOf } from "./filters.ts";
import type { AnswerRow, Asked, CellValue, Choice, Column, Filter, Operation, Period, Question } from "./question.ts";
import { type Relations, relationsFor, whenOf } from "./times-of.ts";

/** A file of kinds/ has this for a list. */
export interface ListKind<Node> extends Pick<Question, "id" | "name" | "about"> {
  readonly time: "periods" | "instants";
  /** Field of Query, and the names of its types. */
  readonly field: string;
  readonly filterType: string;
  readonly sortType: string;
  readonly sorts: readonly SortKind[];
  readonly relations: Relations;
  /** The member that the filter must have, whatever the time, and each filter within it. */
  readonly always?: object;
  readonly filters: readonly Filter[];
  /** Fields of a node, as in GraphQL. */
  readonly selection: string;
  readonly columns: readonly ColumnOf<Node>[];
  readonly row: (node: Node, moment: number | undefined) => Omit<AnswerRow, "cells">;
}

/** `field` is a value of the enumeration of sorts. Equal entries are in the order of their ids. */
interface SortKind extends Choice {
  readonly field: string;
}

export interface ColumnOf<Node> extends Column {
  readonly of: (node: Node) => CellValue;
}

interface ConnectionAnswer<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export function listQuestion<Node>(kind: ListKind<Node>): Question {
  const { field, filterType, sortType, filters } = kind;
  const { always = {}, relations } = kind;
  const filterFor = (asked: Asked, period: Period) =>
    filterOf(filters, asked, whenOf(relations, asked, period), always);
  const document = `query ($filter: ${filterType}, $sort: [${sortType}!]!, $first: Int!, $after: String) {
  ${field}(filter: $filter, sort: $sort, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges {
      node {
${indented(kind.selection, 8)}
      }
    }
  }
}`;
  return {
    ...kind,
    form: "list",
    groups: [],
    canExclude: true,
    relations: (time) => relationsFor(relations, time),
    columns: () => kind.columns,
    operation: (asked, period, { first, after = null }): Operation => ({
      document,
      variables: { filter: filterFor(asked, period), sort: sortOf(kind.sorts, asked.sort), first, after },
    }),
    total: {
      operation: (asked, period) => ({
        document: `query ($filter: ${filterType}) { ${field}(filter: $filter) { totalCount } }`,
        variables: { filter: filterFor(asked, period) },
      }),
      read: (data) => (data as Readonly<Record<string, { totalCount: number }>>)[field]?.totalCount ?? 0,
    },
    read(data, { time }) {
      // The document asks for exactly these nodes.
      const answer = (data as Readonly<Record<string, ConnectionAnswer<Node>>>)[field];
      const moment = time.kind === "moment" ? time.at : undefined;
      const rows = (answer?.edges ?? []).map(({ node }) => ({
        ...kind.row(node, moment),
        cells: kind.columns.map(({ of }) => of(node)),
      }));
      const { hasNextPage = false, endCursor = null } = answer?.pageInfo ?? {};
      return { rows, next: hasNextPage ? (endCursor ?? undefined) : undefined };
    },
  };
}

function sortOf(sorts: readonly SortKind[], asked: string) {
  const isDown = asked.startsWith("-");
  const direction = isDown ? "DESC" : "ASC";
  const { field = "ID" } = sorts.find(({ key }) => key === asked.slice(isDown ? 1 : 0)) ?? sorts[0] ?? {};
  return [{ field, direction }];
}

const indented = (text: string, spaces: number): string =>
  text
    .trim()
    .split("\n")
    .map((line) => " ".repeat(spaces) + line.trim())
    .join("\n");
