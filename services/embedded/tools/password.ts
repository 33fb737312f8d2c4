import { randomBytes } from "node:crypto";

/**
 * Returns a password for one start of a store. Other users of the machine reach its port, so the password is
 * unguessable.
 */
export const newPassword = (): string => randomBytes(24).toString("base64url");
