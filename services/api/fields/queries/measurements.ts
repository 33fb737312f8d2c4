import { measurementsCount, measurementsPage } from "../../../../projections/history/queries/measurements.ts";
import type { FilterMeasurementInput, MeasurementsSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const measurements = (
  _root: unknown,
  args: PageArgs<FilterMeasurementInput, MeasurementsSort>,
  context: ApiContext,
) =>
  historyQuery(args, context, {
    reached: () => context.historyReached("measurements"),
    page: measurementsPage,
    count: measurementsCount,
  });
