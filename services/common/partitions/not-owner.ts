import { PermanentError } from "../permanent-errors.ts";

/** Thrown when another process owns the partition now, or when the store has lost the owner. No write has happened. */
export class NotOwner extends PermanentError {
  override readonly name = "NotOwner";
}
