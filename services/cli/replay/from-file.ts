// The source of a run that reads a stretch file, and no store.
import { fromFile } from "../../recorded/file-segments.ts";
import type { StretchLimits } from "../../recorded/stretch/limits.ts";
import { type AskedSelection, selectionIn } from "./asked-selection.ts";
import type { ReplayCommand } from "./command.ts";
import { chosenZones } from "./from-stores.ts";
import type { ReplaySource } from "./source.ts";

export interface AskedOfFile extends Pick<ReplayCommand, "zones" | "settings"> {
  readonly path: string;
  /** Undefined for the whole file. */
  readonly selection: AskedSelection | undefined;
}

/**
 * Rejects with a sentence when the file is damaged, has settings or bounds beyond the limits, or does not have the
 * selection.
 */
export async function fromStretchFile(
  { path, selection: asked, zones, settings }: AskedOfFile,
  limits: StretchLimits,
): Promise<ReplaySource> {
  const file = await fromFile(path, limits);
  try {
    const { catalog, metadata, dataSourceIds } = file;
    const selection = asked && selectionIn(asked, { catalog, dataSourceIds, partitions: metadata.partitions });
    const ofZones = selection?.kind === "range" ? selection.dataSourceIds : [...dataSourceIds];
    const choice = { zones: await chosenZones(zones, ofZones, limits.bounds), settings };
    return {
      plan: await file.plan(selection),
      plannedAt: Date.parse(metadata.exportedAt),
      catalog,
      prepare: (listener) => file.prepare(choice, listener),
      openSignals: undefined,
      close: file.close,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
