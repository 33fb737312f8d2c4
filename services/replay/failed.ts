/** Ends a session; the message is for the one who made it. */
export class SessionFailed extends Error {
  override readonly name = "SessionFailed";
}

/** The session was deleted, or another process runs it by now. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
}
