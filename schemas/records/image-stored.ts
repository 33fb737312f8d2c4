import { int, optional, record, string, time } from "../avro.ts";

/** The bytes are in the media store before this is in the log. Identity: the id, which is made of the rest. */
export interface ImageStored {
  readonly imageId: string;
  readonly dataSourceId: string | null;
  /** When it was taken. */
  readonly timestamp: number | null;
  /** As its sender calls it. */
  readonly fileName: string | null;
  /** In the media store: schemas/media-path.ts. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

export const imageStored = record<ImageStored>("ImageStored", {
  imageId: string,
  dataSourceId: optional(string),
  timestamp: optional(time),
  fileName: optional(string),
  path: string,
  width: int,
  height: int,
});
