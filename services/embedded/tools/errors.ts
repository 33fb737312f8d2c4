/** Thrown when the stores cannot be started; the message is one sentence that says how to mend it. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
