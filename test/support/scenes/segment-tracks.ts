/** Names tracks of the camera in the form of a replay's segment. */
export const tracksOfCam = (...trackIds: readonly string[]) =>
  trackIds.map((trackId) => ({ dataSourceId: "cam", trackId }));
