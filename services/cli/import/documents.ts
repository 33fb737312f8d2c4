// Several mutations in one GraphQL document save round trips. GraphQL runs root fields one after the other but goes on
// after a failed one, and the client then sends the document again: so mutations that share a document must work in any
// order.
import type { Mutation, Step } from "./plan.ts";

const MAX_ROOT_FIELDS = 16;

/** Far below the time after which a track without detections expires: no order within it ends a track early. */
const MAX_SPAN_MS = 5_000;

export interface Document {
  readonly query: string;
  readonly variables: Readonly<Record<string, Mutation["input"]>>;
  /** ms since the epoch of the newest detection. */
  readonly time: number;
  readonly detections: number;
}

/** Puts consecutive steps that touch different tracks into one document each; `maxSpanMs` as in PlanOptions. */
export function* packDocuments(steps: Iterable<Step>, maxSpanMs: number): Generator<Document> {
  const spanMs = Math.min(maxSpanMs, MAX_SPAN_MS);
  let packed: Step[] = [];
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

function toDocument(steps: readonly Step[]): Document {
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
