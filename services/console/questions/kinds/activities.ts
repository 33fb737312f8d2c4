import {
  activityIds,
  cameras,
  contains,
  exactly,
  having,
  labels,
  locations,
  places,
  positions,
  producers,
  rare,
  sites,
  tagIds,
  timezone,
  validation,
} from "../filters.ts";
import { cameraPagePath } from "../links.ts";
import { listQuestion } from "../list.ts";
import { LASTING } from "../times-of.ts";
import { type ChronicleNode, chronicleColumns, chronicleFields } from "./chronicle-nodes.ts";
import { type Named, spanOf, stayLength, textOfList } from "./nodes.ts";

interface ActivityNode extends ChronicleNode {
  readonly startTime: string;
  readonly endTime: string | null;
  readonly dataSources: readonly Named[] | null;
  readonly sites: readonly Named[] | null;
}

const namesOf = (objects: readonly Named[] | null) => textOfList((objects ?? []).map(({ name }) => name));

export const activities = listQuestion<ActivityNode>({
  id: "activities",
  name: "Activities",
  about: "What workflows recorded with a beginning and an end.",
  time: "periods",
  field: "activityChronicles",
  filterType: "FilterActivityChronicleInput",
  sortType: "ActivityChronicleSort",
  sorts: [
    { key: "start", name: "Start", field: "START_TIME" },
    { key: "end", name: "End", field: "END_TIME" },
    { key: "name", name: "Name", field: "NAME" },
    { key: "priority", name: "Priority", field: "PRIORITY" },
    { key: "status", name: "Status", field: "STATUS" },
  ],
  relations: LASTING,
  filters: [
    contains("name", "Name contains"),
    having(cameras("dataSourceIds"), "dataSourceIds"),
    having(sites("siteIds"), "siteIds"),
    producers("chronicleProducerId"),
    labels,
    exactly("status", "Status"),
    exactly("priority", "Priority"),
    validation(),
    rare(contains("description", "Description contains")),
    locations,
    rare(having(tagIds("tagIds"), "tagIds")),
    rare(having(places("pointOfInterestIds"), "pointOfInterestIds")),
    positions("Position in"),
    timezone,
    rare(activityIds("id")),
  ],
  selection: `
    ${chronicleFields} startTime endTime
    dataSources { id name }
    sites { id name }`,
  columns: [
    { name: "Name", kind: "text", isLane: true, of: ({ name }) => name },
    { name: "Start", kind: "time", of: ({ startTime }) => startTime },
    { name: "End", kind: "time", of: ({ endTime }) => endTime },
    { name: "Length", kind: "length", of: stayLength },
    { name: "Cameras", kind: "text", isLane: true, of: ({ dataSources }) => namesOf(dataSources) },
    { name: "Sites", kind: "text", isLane: true, of: ({ sites: places }) => namesOf(places) },
    ...chronicleColumns,
  ],
  row: (activity, moment) => {
    const span = spanOf(activity, activity.name);
    const at = moment ?? span.from;
    const links = (activity.dataSources ?? []).map(({ id, name }) => ({ name, path: cameraPagePath(id, at) }));
    return { id: activity.id, span, links };
  },
});
