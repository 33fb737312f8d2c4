// The interface of a tracker file format. Boxes are in image pixels, y grows downwards.

export interface TrackerRow {
  readonly frame: number;
  /** Number of the object within the file. */
  readonly fileId: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly tag: string;
}

/** Undefined `row` means that the format skips a well-formed line. Columns count from 1. */
export type ParsedLine =
  | { readonly ok: true; readonly row: TrackerRow | undefined }
  | { readonly ok: false; readonly column: number; readonly reason: string };

export interface Format {
  /** The format's lowest frame number; its time is the start time. */
  readonly baseFrame: number;
  /** Creates a parser for one file. Each file needs its own, because its first line may decide the layout. */
  createParser(options: ParserOptions): (line: string) => ParsedLine;
}

export interface ParserOptions {
  /** Tag of rows whose file names no class. */
  readonly tag: string;
}
