import { randomBytes } from "node:crypto";

/** For one start of a store. Other users of the machine reach its port, so the password is unguessable. */
export const newPassword = (): string => randomBytes(24).toString("base64url");
