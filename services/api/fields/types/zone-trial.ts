import type { TrialStay } from "../../../../projections/trial/zone-trial.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { durationText } from "../duration.ts";
import { trackOfIntersection } from "./zone-intersection.ts";

/** An intersection of a trial, of a track of this data source. */
interface ZoneTrialSource extends TrialStay {
  readonly dataSourceId: string;
}

export const zoneTrialResolvers = {
  track: (stay: ZoneTrialSource, args: unknown, context: ApiContext) =>
    trackOfIntersection({ ...stay, intersectionId: "" }, args, context),
  duration: ({ startTime, endTime }: ZoneTrialSource) =>
    endTime === null ? null : durationText(Math.max(endTime - startTime, 0)),
};
