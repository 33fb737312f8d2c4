import {
  activityIds,
  contains,
  eventIds,
  exactly,
  having,
  labels,
  locations,
  producers,
  rare,
  timezone,
  validation,
} from "../filters.ts";
import { listQuestion } from "../list.ts";
import { between, type Relations } from "../times-of.ts";
import { type ChronicleNode, chronicleColumns, chronicleFields } from "./chronicle-nodes.ts";
import { spanOf, stayLength } from "./nodes.ts";

interface SummaryNode extends ChronicleNode {
  readonly startTime: string;
  readonly endTime: string;
  readonly activityChronicles: readonly { readonly id: string }[];
  readonly eventChronicles: readonly { readonly id: string }[];
}

/** The period of a summary is no range of the interface: its ends are compared one by one. */
const WITHIN: Relations = {
  period: [
    { key: "began", name: "Begins in it", when: (period) => ({ startTime: between(period) }) },
    { key: "ended", name: "Ends in it", when: (period) => ({ endTime: between(period) }) },
    {
      key: "inside",
      name: "Begins and ends in it",
      when: (period) => ({ startTime: between(period), endTime: between(period) }),
    },
  ],
};

export const summaries = listQuestion<SummaryNode>({
  id: "summaries",
  name: "Summaries",
  about: "Reports that workflows wrote about a period.",
  time: "instants",
  field: "summaryChronicles",
  filterType: "FilterSummaryChronicleInput",
  sortType: "SummaryChronicleSort",
  sorts: [
    { key: "start", name: "Start", field: "START_TIME" },
    { key: "end", name: "End", field: "END_TIME" },
    { key: "name", name: "Name", field: "NAME" },
    { key: "priority", name: "Priority", field: "PRIORITY" },
    { key: "status", name: "Status", field: "STATUS" },
  ],
  relations: WITHIN,
  filters: [
    contains("name", "Name contains"),
    producers("chronicleProducerId"),
    labels,
    exactly("status", "Status"),
    exactly("priority", "Priority"),
    validation(),
    locations,
    rare(having(activityIds("activityChronicleIds"), "activityChronicleIds")),
    rare(having(eventIds("eventChronicleIds"), "eventChronicleIds")),
    timezone,
    rare(exactly("summary", "Summary id", "id")),
  ],
  selection: `
    ${chronicleFields} startTime endTime
    activityChronicles { id }
    eventChronicles { id }`,
  columns: [
    { name: "Name", kind: "text", isLane: true, of: ({ name }) => name },
    { name: "Start", kind: "time", of: ({ startTime }) => startTime },
    { name: "End", kind: "time", of: ({ endTime }) => endTime },
    { name: "Length", kind: "length", of: stayLength },
    { name: "Activities", kind: "number", of: ({ activityChronicles }) => activityChronicles.length },
    { name: "Events", kind: "number", of: ({ eventChronicles }) => eventChronicles.length },
    ...chronicleColumns,
  ],
  row: (summary) => ({ id: summary.id, span: spanOf(summary, summary.name), links: [] }),
});
