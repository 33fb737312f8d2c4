// A question as the page sees it. Each kind of question is one file of kinds/.
import type { ChoiceKind } from "./choice-kinds.ts";

export interface Question {
  /** Value of `of` in the address. */
  readonly id: string;
  readonly name: string;
  /** One sentence for somebody who sees it for the first time. */
  readonly about: string;
  /** A list has pages of rows; a count has a row for each bucket. */
  readonly form: "list" | "count";
  readonly filters: readonly Filter[];
  /** Whether the filter of the interface has "not". */
  readonly canExclude: boolean;
  /** Periods also have moments, instants have none, and bounded questions need a beginning and an end. */
  readonly time: "periods" | "instants" | "bounded";
  /** How an answer may lie to the time; the first one is the default. Empty when there is one way. */
  relations(time: AskedTime): readonly Choice[];
  /** The first one is the default. Empty for a count. */
  readonly sorts: readonly Choice[];
  /** Empty for a list. */
  readonly groups: readonly Choice[];
  columns(asked: Asked): readonly Column[];
  operation(asked: Asked, period: Period, page: PageArguments): Operation;
  /** Absent when the answer has the number anyway. */
  readonly total?: TotalOperation;
  /** @param data the data of the answer to the operation. */
  read(data: unknown, asked: Asked): AnswerPage;
}

export interface TotalOperation {
  operation(asked: Asked, period: Period): Operation;
  read(data: unknown): number;
}

/** A question with everything that the user chose: what the address holds. */
export interface Asked {
  readonly of: string;
  readonly time: AskedTime;
  /** Key of a relation to the time. */
  readonly relation: string;
  /** Values by the keys of filters. A filter without a value is absent. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Keys of filters that must have none of their values. */
  readonly without: ReadonlySet<string>;
  /** Key of a sort; with a leading minus it is descending. */
  readonly sort: string;
  /** Key of a group, and a size of buckets. */
  readonly by: string;
  readonly size: string;
  readonly view: string;
}

/** Times in milliseconds since the epoch. `last` is the key of a preset, counted back from now. */
export type AskedTime =
  | { readonly kind: "last"; readonly last: string }
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  | { readonly kind: "moment"; readonly at: number }
  | { readonly kind: "always" };

/** The time that a question is asked for, once it is known what "now" is. Undefined without bounds. */
export type Period = { readonly from: number; readonly to: number; readonly isMoment: boolean } | undefined;

export interface Choice {
  readonly key: string;
  readonly name: string;
}

/** A condition that maps to one member of the filter of the interface. */
export interface Filter {
  /** Name in the address. */
  readonly key: string;
  readonly label: string;
  /** Its values are objects that the server lists, texts, or those of a fixed list. */
  readonly from: ChoiceKind | "text" | readonly Choice[];
  /** How a text is written. */
  readonly hint?: string;
  /** Whether the form keeps it folded away until it is asked for. */
  readonly isRare?: boolean;
  /** Whether the interface compares one value only: another one takes its place. */
  readonly isSingle?: boolean;
  /** Says why the interface cannot have the text that somebody typed; undefined when it can. */
  readonly fault?: (value: string) => string | undefined;
  /** The member of the filter, with its values. */
  readonly member: (values: readonly string[]) => object;
}

export interface Column {
  readonly name: string;
  readonly kind: "text" | "tag" | "time" | "length" | "number";
  /** Whether a time line may have a row for each of its values. */
  readonly isLane?: boolean;
  /** Ids are in files alone: people read names. */
  readonly isForFiles?: boolean;
}

/** A time is an ISO 8601 text, a length is in milliseconds. */
export type CellValue = string | number | null;

export interface AnswerRow {
  readonly id: string;
  /** One for each column. */
  readonly cells: readonly CellValue[];
  /** Paths below /console. */
  readonly links: readonly RowLink[];
  /** When it was; undefined for a row of a count. */
  readonly span?: RowSpan;
}

export interface RowLink {
  readonly name: string;
  readonly path: string;
}

/** In milliseconds since the epoch. `to` is null while it lasts. */
export interface RowSpan {
  readonly from: number;
  readonly to: number | null;
  readonly tag: string;
}

export interface AnswerPage {
  readonly rows: readonly AnswerRow[];
  /** Cursor of the next page; undefined when this is the last one. */
  readonly next?: string | undefined;
  /** For a count: everything together. */
  readonly total?: number;
  /** For a count: bars of a plot. */
  readonly buckets?: readonly CountedBucket[];
}

export interface CountedBucket {
  /** Start of the bucket in milliseconds since the epoch; null when buckets are not by time. */
  readonly time: number | null;
  /** Id of the group; `group` is its name, which another one may have as well. */
  readonly key: string;
  readonly group: string;
  readonly total: number;
}

export interface PageArguments {
  readonly first: number;
  readonly after: string | undefined;
}

export interface Operation {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}
