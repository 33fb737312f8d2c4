import type { Dimension } from "../../../../projections/summaries/dimensions.ts";
import type { SummaryKind } from "../../../../projections/summaries/kind.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { SummaryDescription } from "./summary-field.ts";

/** `reached` resolves when the history has what the caller wants to see. */
export const ofHistory = <Filter extends object>(
  bucket: string,
  { dimensions, summarize }: SummaryKind<Filter>,
  reached: (context: ApiContext) => Promise<unknown>,
): SummaryDescription<Filter, Dimension> => ({
  bucket,
  dimensions,
  async summarize(context, filter, question) {
    const { history, catalog, zones } = context;
    await Promise.all([reached(context), context.catalogReached()]);
    return summarize({ client: history.client, catalog, zones, filter, question });
  },
});
