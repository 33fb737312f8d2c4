import { v7 } from "uuid";
import { notFound } from "../../../../schemas/errors.ts";
import type { DataSourceEntry } from "../../../../schemas/events.ts";
import type { CreateDataSourceInput, UpdateDataSourceInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { checkText } from "../../write/text.ts";
import { deleted, write as writeZones } from "./zones.ts";

export const createDataSource =
  (deps: MutationDeps) =>
  async (_root: unknown, { dataSource: input }: { dataSource: CreateDataSourceInput }, context: ApiContext) => {
    const at = deps.now();
    return put(deps, context, {
      dataSourceId: v7(),
      name: checkText(input.name, ["dataSource", "name"]),
      type: input.type,
      labels: checkLabels(input.labels),
      createdAt: at,
      updatedAt: at,
    });
  };

export const updateDataSource =
  (deps: MutationDeps) =>
  async (_root: unknown, { dataSource: input }: { dataSource: UpdateDataSourceInput }, context: ApiContext) => {
    const before = context.catalog.dataSource(input.id);
    if (before === undefined) throw notFound("data source", input.id, ["dataSource", "id"]);
    return put(deps, context, {
      ...before,
      name: input.name == null ? before.name : checkText(input.name, ["dataSource", "name"]),
      type: input.type ?? before.type,
      labels: input.labels === undefined ? before.labels : checkLabels(input.labels),
      updatedAt: deps.now(),
    });
  };

/** Its zones go with it, first: a zone without a data source could never be reached again. */
export const deleteDataSource =
  ({ writer, now }: MutationDeps) =>
  async (_root: unknown, { id }: { id: string }, context: ApiContext): Promise<DataSourceEntry> => {
    const before = context.catalog.dataSource(id);
    if (before === undefined) throw notFound("data source", id, ["id"]);
    const zones = context.zones.zonesOf(id);
    if (zones.length > 0) {
      const events = zones.map((zone) => deleted(zone, now(), null));
      await writeZones(writer, context, null, events);
    }
    const position = await writer.catalog(id, null);
    context.positions.push(position);
    context.catalog.applyOwn(id, null, position.offset);
    return before;
  };

async function put({ writer }: MutationDeps, context: ApiContext, event: DataSourceEntry): Promise<DataSourceEntry> {
  const entry = { type: "DataSourceEntry", event } as const;
  const position = await writer.catalog(event.dataSourceId, entry);
  context.positions.push(position);
  context.catalog.applyOwn(event.dataSourceId, entry, position.offset);
  return event;
}

function checkLabels(labels: readonly string[] | null | undefined): readonly string[] | null {
  if (labels == null) return null;
  return labels.map((label, i) => checkText(label, ["dataSource", "labels", i]));
}
