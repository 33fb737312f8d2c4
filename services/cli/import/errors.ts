/** Ends the import with exit code 1; the message is one sentence for the person who started it. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}
