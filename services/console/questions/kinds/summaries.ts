import { contains, exactly, labels, producers, validation } from "../filters.ts";
import { listQuestion } from "../list.ts";
import { between } from "../times-of.ts";
import { type ChronicleNode, chronicleColumns, chronicleFields } from "./chronicle-nodes.ts";
import { spanOf, stayLength } from "./nodes.ts";

interface SummaryNode extends ChronicleNode {
  readonly startTime: string;
  readonly endTime: string;
  readonly activityChronicles: readonly { readonly id: string }[];
  readonly eventChronicles: readonly { readonly id: string }[];
}

export const summaries = listQuestion<SummaryNode>({
  id: "summaries",
  name: "Summaries",
  about: "Reports that workflows wrote about a period, by the time at which it begins.",
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
  when: (period) => ({ startTime: between(period) }),
  filters: [
    contains("name", "Name contains"),
    producers("chronicleProducerId"),
    labels,
    exactly("status", "Status"),
    exactly("priority", "Priority"),
    validation(),
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
