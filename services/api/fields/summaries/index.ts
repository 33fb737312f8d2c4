import { deviceDimensions, summarizeDevices } from "../../../../projections/summaries/devices.ts";
import type { FilterDeviceSummaryInput } from "../../../../schemas/graphql/inputs.ts";
import { summaryField } from "./summary-field.ts";

/** The root fields of Query that summarize. */
export const summaries = {
  deviceSummary: summaryField({
    bucket: "deviceBucket",
    dimensions: deviceDimensions,
    async summarize({ catalog, catalogReached }, filter: FilterDeviceSummaryInput, question) {
      await catalogReached();
      return summarizeDevices(catalog, filter, question);
    },
  }),
};
