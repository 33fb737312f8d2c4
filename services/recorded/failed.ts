/** Ends a session; the message is for the client that created it. */
export class SessionFailed extends Error {
  override readonly name = "SessionFailed";
}

/** Thrown when the session was deleted, or another process runs it by now. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
}
