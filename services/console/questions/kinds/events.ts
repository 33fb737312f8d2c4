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
import { cameraPagePath } from "../links.ts";
import { listQuestion } from "../list.ts";
import { instants } from "../times-of.ts";
import { type ChronicleNode, chronicleColumns, chronicleFields } from "./chronicle-nodes.ts";
import { type Named, textOfList } from "./nodes.ts";

interface EventNode extends ChronicleNode {
  readonly timestamp: string;
  readonly activityChronicles: readonly (Named & { readonly dataSources: readonly Named[] | null })[];
}

export const events = listQuestion<EventNode>({
  id: "events",
  name: "Events",
  about: "What workflows recorded at one instant.",
  time: "instants",
  field: "eventChronicles",
  filterType: "FilterEventChronicleInput",
  sortType: "EventChronicleSort",
  sorts: [
    { key: "time", name: "Time", field: "TIMESTAMP" },
    { key: "name", name: "Name", field: "NAME" },
    { key: "priority", name: "Priority", field: "PRIORITY" },
    { key: "status", name: "Status", field: "STATUS" },
  ],
  relations: instants("timestamp"),
  filters: [
    contains("name", "Name contains"),
    producers("chronicleProducerId"),
    labels,
    exactly("status", "Status"),
    exactly("priority", "Priority"),
    validation(),
    locations,
    rare(having(activityIds("activityChronicleIds"), "activityChronicleIds")),
    timezone,
    rare(eventIds("id")),
  ],
  selection: `
    ${chronicleFields} timestamp
    activityChronicles { id name dataSources { id name } }`,
  columns: [
    { name: "Name", kind: "text", isLane: true, of: ({ name }) => name },
    { name: "Time", kind: "time", of: ({ timestamp }) => timestamp },
    { name: "Activities", kind: "text", of: ({ activityChronicles }) => namesOf(activityChronicles) },
    ...chronicleColumns,
  ],
  row: ({ id, name, timestamp, activityChronicles }) => {
    const at = Date.parse(timestamp);
    const found = new Map(
      activityChronicles.flatMap(({ dataSources }) => dataSources ?? []).map((each) => [each.id, each]),
    );
    const links = [...found.values()].map((camera) => ({ name: camera.name, path: cameraPagePath(camera.id, at) }));
    return { id, span: { from: at, to: at, tag: name }, links };
  },
});

const namesOf = (objects: readonly Named[]) => textOfList(objects.map(({ name }) => name));
