// Paths of pages that show what a row is about.
import { instant } from "./times-of.ts";

export const cameraPagePath = (dataSourceId: string, at: number): string =>
  `/cameras/${encodeURIComponent(dataSourceId)}?at=${instant(at)}`;

export const trackPagePath = (dataSourceId: string, trackId: string, at: number): string =>
  `/tracks/${encodeURIComponent(dataSourceId)}/${encodeURIComponent(trackId)}?at=${instant(at)}`;
