// Paths of pages that show what a row is about.
import { instant } from "./times-of.ts";

/** @param trackId a track that is marked in the picture. */
export const cameraPagePath = (dataSourceId: string, at: number, trackId?: string): string =>
  `/cameras/${encodeURIComponent(dataSourceId)}?at=${instant(at)}${trackId === undefined ? "" : `&track=${encodeURIComponent(trackId)}`}`;

export const trackPagePath = (dataSourceId: string, trackId: string, at: number): string =>
  `/tracks/${encodeURIComponent(dataSourceId)}/${encodeURIComponent(trackId)}?at=${instant(at)}`;
