/** As a segment of a replay names tracks of the camera. */
export const tracksOfCam = (...trackIds: readonly string[]) =>
  trackIds.map((trackId) => ({ dataSourceId: "cam", trackId }));
