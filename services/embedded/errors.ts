/** The stores cannot be started; the message is one sentence that says what to do. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
