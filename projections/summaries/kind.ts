import type { DataSourceIds } from "../history/queries/records.ts";
import type { Asked } from "../history/queries/run.ts";
import type { Dimension, Known } from "./dimensions.ts";
import type { Question, Summary } from "./shape.ts";

export interface Summarizing<Filter> extends Known {
  readonly client: Asked;
  readonly dataSourceIds: DataSourceIds;
  readonly filter: Filter;
  readonly question: Question<Dimension>;
}

/** A summary of objects in the history. */
export interface SummaryKind<Filter> {
  /** By the names that callers use. */
  readonly dimensions: Readonly<Record<string, Dimension>>;
  /** Rejects with BAD_USER_INPUT for too many buckets. */
  readonly summarize: (summarizing: Summarizing<Filter>) => Promise<Summary>;
  /** The distinct keys of the metadata of what is counted, or of the objects at the path in it. */
  readonly metadataKeys?: (summarizing: Summarizing<Filter>, path: readonly string[]) => Promise<string[]>;
}
