// Links to media of the local folder: the path, the time of expiry, and an HMAC over both.
import { createHmac, timingSafeEqual } from "node:crypto";

/** Path under which the API serves media. */
export const MEDIA_ROUTE = "/media/";

export interface Links {
  /** Returns the link from MEDIA_ROUTE on. */
  sign(path: string, nowMs: number): Promise<string>;
  /** `path` is decoded and has no prefix. */
  verify(path: string, claim: LinkClaim, nowMs: number): Promise<"good" | "expired" | "forged">;
}

export interface LinkClaim {
  readonly expires: unknown;
  readonly signature: unknown;
}

export function createLinks(key: () => Promise<Buffer>, lifeTimeS: number): Links {
  /** A path has no line feed, so no two links sign the same text. */
  const signatureOf = async (path: string, expires: string) =>
    createHmac("sha256", await key())
      .update(`${path}\n${expires}`)
      .digest();

  return {
    async sign(path, nowMs) {
      const expires = String(Math.ceil(nowMs / 1_000) + lifeTimeS);
      const signature = (await signatureOf(path, expires)).toString("base64url");
      const address = path.split("/").map(encodeURIComponent).join("/");
      return `${MEDIA_ROUTE}${address}?expires=${expires}&signature=${signature}`;
    },
    async verify(path, { expires, signature }, nowMs) {
      if (typeof expires !== "string" || !/^\d{1,12}$/.test(expires) || typeof signature !== "string") return "forged";
      const expected = await signatureOf(path, expires);
      const given = Buffer.from(signature, "base64url");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      return Number(expires) * 1_000 > nowMs ? "good" : "expired";
    },
  };
}
