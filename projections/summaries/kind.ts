import type { DataSourceIds } from "../history/queries/records.ts";
import type { QueryClient } from "../history/queries/run.ts";
import type { Dimension, SummaryContext } from "./dimensions.ts";
import type { Summary, SummaryQuestion } from "./shape.ts";

export interface Summarizing<Filter> extends SummaryContext {
  readonly client: QueryClient;
  readonly dataSourceIds: DataSourceIds;
  readonly filter: Filter;
  readonly question: SummaryQuestion<Dimension>;
}

/** A summary of objects in the history. */
export interface SummaryKind<Filter> {
  /** The dimensions by the names that callers use. */
  readonly dimensions: Readonly<Record<string, Dimension>>;
  /** Rejects with BAD_USER_INPUT when there are too many buckets. */
  readonly summarize: (summarizing: Summarizing<Filter>) => Promise<Summary>;
  /** Returns the distinct keys of the counted objects' metadata, or of the objects at the path in it. */
  readonly metadataKeys?: (summarizing: Summarizing<Filter>, path: readonly string[]) => Promise<string[]>;
}
