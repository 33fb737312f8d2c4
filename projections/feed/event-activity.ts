// The deprecated subscription `eventActivity`: activities under the name of events.
import type { FilterEventActivityInput } from "../../schemas/graphql/inputs.ts";
import { eventFields, renamedOnce } from "../filters/events.ts";
import { matches } from "../filters/match.ts";
import { activityChronicles, type ChronicleMessage } from "./chronicles.ts";
import type { FeedKind } from "./kind.ts";

export const eventActivityFeed: FeedKind<ChronicleMessage<"activityChronicle">, FilterEventActivityInput> = {
  ...activityChronicles,
  field: "eventActivity",
  matches: (filter, { chronicle }) => matches(eventFields, renamedOnce(filter), chronicle),
};
