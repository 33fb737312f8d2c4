// The interface of a tracker file format. Boxes are in image pixels, y grows downwards.

export interface Row {
  readonly frame: number;
  /** The object's number within the file. */
  readonly fileId: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly tag: string;
}

/** `row` is undefined when the format says to leave a well-formed line out. Columns count from 1. */
export type ParsedLine =
  | { readonly ok: true; readonly row: Row | undefined }
  | { readonly ok: false; readonly column: number; readonly reason: string };

export interface Format {
  /** The format's lowest frame number; its time is the start time. */
  readonly baseFrame: number;
  /** One parser per file: only the first line may show what kind of file it is. */
  createParser(options: ParserOptions): (line: string) => ParsedLine;
}

export interface ParserOptions {
  /** Tag of rows whose file names no class. */
  readonly tag: string;
}
