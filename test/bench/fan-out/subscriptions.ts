// Ten ways to subscribe: each another camera and another selection.

export const KINDS = 10;

const POLYGON = "polygon { type coordinates }";
const POSITION = "position { type coordinates }";
const selections = [
  "id timestamp",
  `id timestamp ${POLYGON}`,
  `id timestamp ${POSITION}`,
  `id timestamp direction ${POLYGON} ${POSITION}`,
  `timestamp globalTrackId ${POLYGON}`,
  `id deviceId timestamp direction`,
  `id timestamp metadata ${POLYGON}`,
  `timestamp deviceId ${POSITION} direction`,
  `id globalTrackId deviceId timestamp ${POLYGON} ${POSITION} direction metadata`,
  `id createdAt timestamp direction ${POLYGON}`,
];

export const cameraOf = (kind: number): string => `bench-camera-${kind}`;

/** The payload of `subscribe`. */
export function subscriptionOf(kind: number): object {
  const query = `subscription ($camera: ID!) {
    detectionActivity(filter: { dataSourceId: { eq: $camera } }) { ${selections[kind]} } }`;
  return { query, variables: { camera: cameraOf(kind) } };
}
