import { answerSources } from "../../../../projections/catalog/data-source-ids.ts";
import { prepareFilter } from "../../../../projections/filters/prepare.ts";
import type { Dimension } from "../../../../projections/summaries/dimensions.ts";
import type { SummaryKind } from "../../../../projections/summaries/kind.ts";
import type { SummaryQuestion } from "../../../../projections/summaries/shape.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { SummaryDescription } from "./summary-field.ts";

/** `reached` resolves when the history has everything that the caller wants to see. */
export function ofHistory<Filter extends object>(
  bucket: string,
  { dimensions, summarize, metadataKeys }: SummaryKind<Filter>,
  reached: (context: ApiContext) => Promise<unknown>,
): SummaryDescription<Filter, Dimension> {
  async function asked(context: ApiContext, filter: Filter, question: SummaryQuestion<Dimension>) {
    const { history, catalog, zones } = context;
    await Promise.all([reached(context), context.catalogReached()]);
    const dataSourceIds = await answerSources(filter, catalog, context.walk);
    await prepareFilter(filter, context.walk);
    return { client: history.client, dataSourceIds, catalog, zones, filter, question };
  }
  return {
    bucket,
    dimensions,
    summarize: (context, ...asking) => context.summaries.run(async () => summarize(await asked(context, ...asking))),
    metadataKeys: (context, filter, question, path) =>
      context.summaries.run(async () => metadataKeys?.(await asked(context, filter, question), path) ?? []),
  };
}
