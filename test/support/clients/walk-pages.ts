// Reads a list of the schema in pages of different sizes, for any connection.
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isRequiredArgument,
} from "graphql";
import { sampleOf } from "../random/input-values.ts";
import type { Field } from "./bad-values.ts";
import type { GraphQLClient } from "./graphql-client.ts";

interface Page {
  /** Only the first page is asked for it: each count costs the history as much as a page. */
  readonly totalCount?: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
}

export interface Sort {
  readonly field: string;
  readonly direction: string;
}

/** A trial of a zone is computed from its arguments: it is no list with a filter and a sort. */
export const isConnection = ({ type, args }: Field): boolean =>
  getNamedType(type).name.endsWith("Connection") && args.some(({ name }) => name === "filter");

/** Each field that the list may be sorted by, in both directions. */
export function sortsOf(field: Field): Sort[] {
  const sort = getNamedType(argument(field, "sort").type);
  const by = isInputObjectType(sort) ? getNamedType(sort.getFields()["field"]?.type) : undefined;
  if (!isEnumType(by)) throw new Error(`${field.name} has no sort`);
  return ["ASC", "DESC"].flatMap((direction) => valuesOf(by).map((name) => ({ field: name, direction })));
}

function argument({ name: field, args }: Field, name: string): GraphQLArgument {
  const found = args.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${field} has no argument ${name}`);
  return found;
}

const valuesOf = (type: GraphQLEnumType): string[] => type.getValues().map(({ name }) => name);

export interface Walk {
  readonly ids: readonly string[];
  readonly totalCount: number;
  readonly hasMore: boolean;
}

/** Goes on until there are `count` entries, or no more. The sizes of pages take turns. */
export async function walk(
  client: GraphQLClient,
  field: Field,
  sort: Sort,
  sizes: readonly number[],
  count: number,
): Promise<Walk> {
  const filter = argument(field, "filter");
  const declared = `$filter: ${filter.type}, $first: Int!, $after: String, $sort: ${argument(field, "sort").type}`;
  const query = `query (${declared}, $isFirst: Boolean!) {
    list: ${field.name}(filter: $filter, first: $first, after: $after, sort: $sort) {
      totalCount @include(if: $isFirst) pageInfo { hasNextPage endCursor } edges { cursor node { id } }
    }
  }`;
  const ids: string[] = [];
  let totalCount = Number.NaN;
  let after: string | null = null;
  for (let turn = 0; ; turn++) {
    const first = Math.min(sizes[turn % sizes.length] ?? 1, count - ids.length);
    const variables: object = {
      filter: isRequiredArgument(filter) ? sampleOf(filter.type) : null,
      first,
      after,
      sort: [sort],
      isFirst: turn === 0,
    };
    const { list } = await client.ask<{ list: Page }>(query, variables);
    totalCount = list.totalCount ?? totalCount;
    ids.push(...list.edges.map(({ node }) => node.id));
    after = list.pageInfo.endCursor;
    if (!list.pageInfo.hasNextPage || ids.length >= count) {
      return { ids, totalCount, hasMore: list.pageInfo.hasNextPage };
    }
  }
}
