// Writes the messages of one partition of a backup, each exactly once.
import { readSavedMessages, type SavedPartition } from "./format.ts";
import { createPartitionFiller, type FillerDeps } from "./partition-filler.ts";
import { withSchemaIds } from "./schema-ids.ts";

export interface FillDeps extends Omit<FillerDeps, "origin"> {
  /** Ids of schemas in this registry by their ids in that of the backup. */
  readonly ids: ReadonlyMap<number, number>;
}

export async function fillPartition(folder: string, saved: SavedPartition, deps: FillDeps): Promise<void> {
  const filler = await createPartitionFiller({ ...deps, origin: "backup" });
  for await (const { at, value, ...message } of readSavedMessages(folder, saved)) {
    await filler.add({ ...message, ...deps.target, value: withSchemaIds(value, deps.ids), timestamp: at });
  }
  if (filler.next() !== saved.messages) throw new Error(`${saved.file} has other messages than the manifest says.`);
  await filler.finish();
}
