// A delivery of a camera as a GraphQL mutation, and several of them as one document.
import { boxRing } from "../scene/scene.ts";
import type { CameraDelivery, SceneDetection } from "../scene/types.ts";

/** Fewer than the API allows in one document. */
export const MUTATIONS_PER_DOCUMENT = 25;

export interface MutationsDocument {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface SceneMutation {
  readonly field: string;
  readonly argument: string;
  readonly type: string;
  readonly value: unknown;
}

/** The mutations of a document are executed one after the other. */
export function documentOf(mutations: readonly SceneMutation[]): MutationsDocument {
  const declared = mutations.map(({ type }, i) => `$v${i}: ${type}`).join(", ");
  const fields = mutations.map(({ field, argument }, i) => `m${i}: ${field}(${argument}: $v${i}) { __typename }`);
  return {
    query: `mutation (${declared}) { ${fields.join(" ")} }`,
    variables: Object.fromEntries(mutations.map(({ value }, i) => [`v${i}`, value])),
  };
}

export function mutationOf(delivery: CameraDelivery, dataSourceId: string): SceneMutation {
  const detections = delivery.detections.map(inputOf);
  switch (delivery.type) {
    case "trackStarted": {
      const { trackId: id, tag, startTime } = delivery;
      const value = { id, dataSourceId, tag, startTime: new Date(startTime).toISOString(), detections };
      return { field: "createTrack", argument: "track", type: "CreateTrackInput!", value };
    }
    case "detectionsSeen": {
      const value = delivery.detections.map((detection) => ({ trackId: detection.trackId, ...inputOf(detection) }));
      return { field: "createDetections", argument: "detections", type: "[CreateDetectionInput!]!", value };
    }
    case "trackExpired": {
      const value = { id: delivery.trackId, endTime: new Date(delivery.endTime).toISOString(), detections };
      return { field: "updateTrack", argument: "track", type: "UpdateTrackInput!", value };
    }
    default:
      return delivery satisfies never;
  }
}

const inputOf = (detection: SceneDetection) => ({
  timestamp: new Date(detection.timestamp).toISOString(),
  polygon: { coordinates: [boxRing(detection)] },
});
