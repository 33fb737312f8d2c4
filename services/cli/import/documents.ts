// Packs several mutations into one GraphQL document, which saves round trips. GraphQL runs root fields one after the
// other but continues after a failed one, and the client then sends the document again: so mutations that share a
// document must work in any order.
import type { ImportStep, Mutation } from "./plan.ts";

const MAX_ROOT_FIELDS = 16;

/**
 * Longest time between the detections of one document. It is far below the time after which a track without detections
 * expires, so no order within a document ends a track early.
 */
const MAX_SPAN_MS = 5_000;

export interface Document {
  readonly query: string;
  readonly variables: Readonly<Record<string, Mutation["input"]>>;
  /** Time of the newest detection, ms since the epoch. */
  readonly time: number;
  readonly detections: number;
}

/**
 * Packs consecutive steps into documents. The steps of a document concern different tracks. `maxSpanMs` has the same
 * meaning as in PlanOptions.
 */
export function* packDocuments(steps: Iterable<ImportStep>, maxSpanMs: number): Generator<Document> {
  const spanMs = Math.min(maxSpanMs, MAX_SPAN_MS);
  let packed: ImportStep[] = [];
  let touched = new Set<string>();
  for (const step of steps) {
    const first = packed[0];
    const trackIds = [...step.trackIds];
    const fits =
      first === undefined ||
      (packed.length < MAX_ROOT_FIELDS && step.to - first.from <= spanMs && !trackIds.some((id) => touched.has(id)));
    if (!fits) {
      yield toDocument(packed);
      packed = [];
      touched = new Set();
    }
    packed.push(step);
    for (const id of trackIds) touched.add(id);
  }
  if (packed.length > 0) yield toDocument(packed);
}

const argument = {
  createTrack: { name: "track", type: "CreateTrackInput!" },
  createDetections: { name: "detections", type: "[CreateDetectionInput!]!" },
  updateTrack: { name: "track", type: "UpdateTrackInput!" },
} as const;

function toDocument(steps: readonly ImportStep[]): Document {
  const variables: Record<string, Mutation["input"]> = {};
  const declared: string[] = [];
  const fields: string[] = [];
  for (const [index, { mutation }] of steps.entries()) {
    const { name, type } = argument[mutation.field];
    declared.push(`$i${index}: ${type}`);
    fields.push(`m${index}: ${mutation.field}(${name}: $i${index}) { __typename }`);
    variables[`i${index}`] = mutation.input;
  }
  return {
    query: `mutation Import(${declared.join(", ")}) { ${fields.join(" ")} }`,
    variables,
    time: Math.max(...steps.map(({ to }) => to)),
    detections: steps.reduce((sum, step) => sum + step.detections, 0),
  };
}
