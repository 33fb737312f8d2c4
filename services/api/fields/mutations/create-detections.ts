import type { DetectionRecord } from "../../../../projections/history/queries/records.ts";
import type { TrackHeader } from "../../../../projections/track/header.ts";
import { badInput, type InputPath, notFound } from "../../../../schemas/errors.ts";
import type { Detection } from "../../../../schemas/events.ts";
import type { CreateDetectionInput } from "../../../../schemas/graphql/inputs.ts";
import { createSlices } from "../../../common/slices.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { showsStored } from "../../graphql/payload-scope.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { toDetection } from "../../write/detection.ts";
import { doorBounds } from "../../write/time.ts";

/** Detections after which the time is read again: some of them take a tenth of a millisecond each. */
const DETECTIONS_PER_LOOK = 16;

/** All or nothing: one detection at fault refuses the whole mutation. */
export const createDetections =
  (deps: MutationDeps) =>
  (_root: unknown, args: { detections: readonly CreateDetectionInput[] }, context: ApiContext) =>
    record(deps, args.detections, (i) => ["detections", i], context);

export const createDetection =
  (deps: MutationDeps) => async (_root: unknown, args: { detection: CreateDetectionInput }, context: ApiContext) => {
    const [created] = await record(deps, [args.detection], () => ["detection"], context);
    return created;
  };

async function record(
  deps: MutationDeps,
  inputs: readonly CreateDetectionInput[],
  pathOf: (index: number) => InputPath,
  context: ApiContext,
): Promise<DetectionRecord[]> {
  if (inputs.length === 0) throw badInput("no detection given", ["detections"]);
  const recordedAt = deps.now();
  const door = { bounds: doorBounds(deps), pathOf, locate: context.locate };
  const headers = headersInMemory(deps.routing, inputs) ?? (await headersInStores(deps.routing, inputs));
  const slices = createSlices();
  const bySource = new Map<string, Detection[]>();
  const records: DetectionRecord[] = [];
  const showsComputed = showsStored(context);
  for (const [i, input] of inputs.entries()) {
    if (i % DETECTIONS_PER_LOOK === 0 && slices.isOver()) await slices.next();
    const header = headers[i];
    if (header === undefined) throw notFound("track", input.trackId, [...pathOf(i), "trackId"]);
    const { dataSourceId } = header;
    const detection = toDetection(input, i, header, door);
    const group = bySource.get(dataSourceId);
    if (group === undefined) bySource.set(dataSourceId, [detection]);
    else group.push(detection);
    const { trackId, timestamp, polygon, direction, metadata } = detection;
    // A computed position would reveal the stored calibration, so only a token with the scope `read` receives it.
    const position = showsComputed || input.position != null ? detection.position : null;
    records.push({ trackId, dataSourceId, timestamp, polygon, position, direction, metadata, recordedAt });
  }
  context.positions.push(...(await deps.writer.detections(bySource)));
  for (const dataSourceId of bySource.keys()) context.noteTraffic(dataSourceId);
  return records;
}

/**
 * The usual case while a track is being recorded: no store is queried, and nothing is awaited.
 * @returns undefined when a track is not in memory, or begins after its detection as far as this instance knows.
 */
function headersInMemory(
  { known }: MutationDeps["routing"],
  inputs: readonly CreateDetectionInput[],
): TrackHeader[] | undefined {
  const headers: TrackHeader[] = [];
  for (const { trackId, timestamp } of inputs) {
    const header = known(trackId);
    if (header === undefined || timestamp < header.startTime) return undefined;
    headers.push(header);
  }
  return headers;
}

/** Resolves with the header of each input's track, in the order of the inputs; undefined for an unknown track. */
async function headersInStores(
  routing: MutationDeps["routing"],
  inputs: readonly CreateDetectionInput[],
): Promise<(TrackHeader | undefined)[]> {
  const missing = new Set<string>();
  for (const { trackId } of inputs) if (routing.known(trackId) === undefined) missing.add(trackId);
  const found = missing.size === 0 ? undefined : await routing.findForSure([...missing]);
  const headers = (trackId: string) => found?.get(trackId) ?? routing.known(trackId);
  const early = earlierThanTracks(inputs, headers);
  const asked = early.size === 0 ? undefined : await routing.askAgain(early);
  return inputs.map(({ trackId }) => asked?.get(trackId) ?? headers(trackId));
}

/**
 * Returns the time of the earliest detection of each track that, as far as this instance knows, begins after that
 * detection.
 */
function earlierThanTracks(
  inputs: readonly CreateDetectionInput[],
  headers: (trackId: string) => TrackHeader | undefined,
): Map<string, number> {
  const early = new Map<string, number>();
  for (const { trackId, timestamp } of inputs) {
    const header = headers(trackId);
    if (header === undefined || timestamp >= header.startTime) continue;
    early.set(trackId, Math.min(timestamp, early.get(trackId) ?? timestamp));
  }
  return early;
}
