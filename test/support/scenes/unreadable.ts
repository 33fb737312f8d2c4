import type { Codec } from "../../../schemas/codec.ts";

/** A codec that rejects every message as undecodable, so that each becomes a dead letter. */
export const unreadable: Codec = {
  encode: () => Buffer.alloc(0),
  loadSchemas: () => undefined,
  decode: () => ({ ok: false, reason: "no event" }),
};
