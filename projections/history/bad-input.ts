/** The question itself is at fault (a foreign cursor, a polygon that is none); its message is meant for the caller. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}
