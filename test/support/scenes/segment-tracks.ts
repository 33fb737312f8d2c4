/** The choice of a session that replays tracks as they were recorded. */
export const replayOfTracks = (...trackIds: readonly string[]) => ({
  selection: { kind: "tracks" as const, trackIds },
  zones: "then" as const,
  settings: {},
});

/** Asks for tracks of the camera in the form of a replay's segment. */
export const askedOfCam = (...trackIds: readonly string[]) => ({
  kind: "tracks" as const,
  tracks: trackIds.map((trackId) => ({ dataSourceId: "cam", trackId })),
});
