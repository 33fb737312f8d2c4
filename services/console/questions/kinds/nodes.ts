// Parts of nodes that several kinds of questions select.
import { cameraPagePath, trackPagePath } from "../links.ts";
import type { RowLink, RowSpan } from "../question.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

interface Lasting {
  readonly startTime: string;
  readonly endTime: string | null;
}

/** @returns milliseconds; null while it lasts. */
export const stayLength = ({ startTime, endTime }: Lasting): number | null =>
  endTime === null ? null : Date.parse(endTime) - Date.parse(startTime);

export const spanOf = ({ startTime, endTime }: Lasting, tag: string): RowSpan => ({
  from: Date.parse(startTime),
  to: endTime === null ? null : Date.parse(endTime),
  tag,
});

export const textOfList = (texts: readonly string[] | null): string | null =>
  texts === null || texts.length === 0 ? null : texts.join(", ");

/** The picture of the track's camera at that time, and the track itself. There are none once the camera is gone. */
export const linksOfTrack = (dataSource: Named | null, trackId: string, at: number): readonly RowLink[] =>
  dataSource === null
    ? []
    : [
        { name: "Picture", path: cameraPagePath(dataSource.id, at, trackId) },
        { name: "Track", path: trackPagePath(dataSource.id, trackId, at) },
      ];
