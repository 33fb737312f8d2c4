import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { flag } from "../config.ts";

const HOST = /^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

const CIDRS = "addresses or ranges such as 10.1.0.0/16 or fd00::/8, separated by commas";

const list = (text: string): string[] => {
  const parts = text.split(",").map((part) => part.trim().toLowerCase());
  return parts.filter((part) => part !== "");
};

/** Shared by all services that call addresses which callers chose. */
export const outboundEnv = z.object({
  ALLOWED_URL_DOMAINS: z
    .string()
    .default("")
    .transform(list)
    .pipe(
      z.array(
        z
          .string()
          .regex(HOST)
          .refine((host) => isIP(host) === 0, "wants names: addresses go into ALLOWED_URL_CIDRS"),
      ),
    )
    .describe("host names separated by commas, *.example.com for all below one; addresses go into ALLOWED_URL_CIDRS")
    .meta({
      about:
        "Hosts that callers may name whatever they resolve to. Besides our own servers, only these get a " +
        "caller's token.",
    }),
  ALLOWED_URL_CIDRS: z
    .string()
    .default("")
    .transform(list)
    .refine((cidrs) => blockListOf(cidrs) !== undefined, `wants ${CIDRS}`)
    .describe(CIDRS)
    .meta({ about: "Private or otherwise special addresses that callers may reach." }),
  OUTBOUND_ALLOW_SELF_SIGNED: flag(false).meta({
    about:
      "Accepts receivers with certificates of their own. No certificate is then checked, on any outgoing " + "call.",
  }),
});

export type OutboundConfig = z.output<typeof outboundEnv>;

/** @returns undefined when one of them is neither an address nor a range. */
export function blockListOf(cidrs: readonly string[]): BlockList | undefined {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits, ...more] = cidr.split("/");
    const family = isIP(address);
    const widest = family === 4 ? 32 : 128;
    const length = bits === undefined ? widest : Number(bits);
    const numeric = bits === undefined || /^\d{1,3}$/.test(bits);
    if (family === 0 || address.includes("%") || more.length > 0 || !numeric || length > widest) return undefined;
    ranges.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
  }
  return ranges;
}
