// GraphQL operations for tracks and their detections.

const FACTS = `
  id
  tag
  endTime
  dataSource { id zones @include(if: $zones) { id name active polygon { coordinates } } }
  zoneIntersections { zone { id } startTime endTime }
`;

const DETECTION = `
  timestamp
  createdAt
  polygon { coordinates }
  position { coordinates }
`;

export const TRACKS = `query SnapshotTracks(
  $filter: FilterTrackInput!, $first: Int!, $zones: Boolean!, $windows: FilterTrackDetectionInput!, $most: Int!
) {
  tracks(filter: $filter, first: $first, sort: [{ field: ID, direction: ASC }]) {
    edges { node { ${FACTS} detections(filter: $windows, first: $most) { ${DETECTION} } } }
  }
}`;

export const SIGHTINGS = `query TrackSightings($filter: FilterTrackInput!, $first: Int!, $after: String) {
  tracks(filter: $filter, first: $first, after: $after, sort: [{ field: ID, direction: ASC }]) {
    pageInfo { hasNextPage endCursor }
    edges {
      node {
        id
        dataSource { id }
        last: detections(first: 1, sort: [{ field: DETECTION_TIME, direction: DESC }]) { timestamp }
      }
    }
  }
}`;

export const DETECTIONS = `query SnapshotDetections($filter: FilterDetectionInput!, $first: Int!, $after: String) {
  detections(filter: $filter, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { node { ${DETECTION} } }
  }
}`;

export const CLOSEST = `query ClosestFrame(
  $filter: FilterTrackInput!, $until: FilterTrackDetectionInput!, $since: FilterTrackDetectionInput!, $zones: Boolean!
) {
  tracks(filter: $filter, first: 2, sort: [{ field: ID, direction: ASC }]) {
    edges {
      node {
        ${FACTS}
        before: detections(filter: $until, first: 1, sort: [{ field: DETECTION_TIME, direction: DESC }]) { ${DETECTION} }
        after: detections(filter: $since, first: 1, sort: [{ field: DETECTION_TIME, direction: ASC }]) { ${DETECTION} }
      }
    }
  }
}`;
