import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { notFound, refuse } from "../../../../schemas/errors.ts";
import type { CreateSnapshotInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { takeSnapshot } from "../../media/snapshot.ts";
import { requireDataSource } from "../../read/require-data-source.ts";

export async function snapshot(
  _root: unknown,
  { input }: { readonly input: CreateSnapshotInput },
  context: ApiContext,
) {
  const { dataSourceId, timestamp } = input;
  await context.catalogReached();
  requireDataSource(context, dataSourceId, ["input", "dataSourceId"]);
  refuse(checkStoredTime(timestamp), ["input", "timestamp"]);
  return takeSnapshot({ dataSourceId, timestamp }, context);
}

interface ImageUrlArgs {
  readonly deviceId: string;
  readonly timestamp: number;
}

/** `deviceId` is the id of a device. If no device has it, it is the id of a data source. */
export async function imageUrl(_root: unknown, { deviceId, timestamp }: ImageUrlArgs, context: ApiContext) {
  const { catalog, media } = context;
  await context.catalogReached();
  const dataSourceId = catalog.get("device", deviceId)?.dataSourceId ?? deviceId;
  if (catalog.get("dataSource", dataSourceId) === undefined) throw notFound("device", deviceId, ["deviceId"]);
  refuse(checkStoredTime(timestamp), ["timestamp"]);
  return media.signedUrl((await takeSnapshot({ dataSourceId, timestamp }, context)).path);
}
