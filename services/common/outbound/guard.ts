// Checks addresses that a caller chose: their text in the request, and the address that their name resolves to on
// connecting.
import { BlockList, isIP } from "node:net";
import { blockListOf, type OutboundConfig } from "./config.ts";
import { specialKind } from "./ranges.ts";

export type Scheme = "http" | "https" | "ws" | "wss";

export const HTTP: readonly Scheme[] = ["http", "https"];
export const WEB_SOCKET: readonly Scheme[] = ["ws", "wss"];

export interface Guard {
  /**
   * Returns the reason why a caller may not choose this address, in words for the caller. A name that passes is checked
   * again when it is resolved.
   * @returns undefined when the caller may choose it.
   */
  refusal(text: string, schemes: readonly Scheme[]): string | undefined;
  /**
   * Returns whether a connection to the host may go to this address. `host` has the form of a URL's `hostname`, without
   * brackets.
   */
  admits(host: string, address: string): boolean;
  /** @returns true when the operator, not a caller, chose the name. */
  isChosen(host: string): boolean;
}

type Lists = Pick<OutboundConfig, "ALLOWED_URL_DOMAINS" | "ALLOWED_URL_CIDRS">;

/**
 * "public" admits global addresses and the listed ones. "listed" admits only the listed ones, for calls that carry a
 * caller's token.
 */
export function createGuard(lists: Lists, reach: "public" | "listed"): Guard {
  const { ALLOWED_URL_DOMAINS: domains, ALLOWED_URL_CIDRS: cidrs } = lists;
  const listed = blockListOf(cidrs) ?? new BlockList();
  const isListedName = (host: string) => domains.some((domain) => matches(domain, host));
  const isListed = (address: string) => listed.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
  const admitsAddress = (address: string) =>
    isListed(address) || (reach === "public" && specialKind(address) === undefined);

  const refusedHost = (host: string): string | undefined => {
    if (isListedName(host)) return undefined;
    const address = isLocalhost(host) ? LOOPBACK : host;
    if (isIP(address) === 0) {
      const certain = reach === "public" || cidrs.length > 0;
      return certain ? undefined : `${host} is not among ALLOWED_URL_DOMAINS`;
    }
    if (admitsAddress(address)) return undefined;
    const setting = address === host ? "ALLOWED_URL_CIDRS" : "ALLOWED_URL_DOMAINS";
    return `${host} is ${specialKind(address) ?? "an"} address that is not among ${setting}`;
  };

  return {
    refusal: (text, schemes) => {
      const parsed = parse(text, schemes);
      return typeof parsed === "string" ? parsed : refusedHost(parsed.host);
    },
    admits: (host, address) => isListedName(host) || admitsAddress(address),
    isChosen: (host) => isListedName(host) || isLocalhost(host),
  };
}

/** The guard for addresses that the operator chose: it refuses none. */
export const trusting: Guard = { refusal: () => undefined, admits: () => true, isChosen: () => true };

const LOOPBACK = "127.0.0.1";

/** Such names never leave the machine (RFC 6761). */
const isLocalhost = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

const matches = (domain: string, host: string): boolean =>
  domain.startsWith("*.") ? host.endsWith(domain.slice(1)) : host === domain;

const MAX_LENGTH = 2_048;
/**
 * This pattern is stricter than URL, which repairs its input: other readers of the same text would find another host.
 */
const URL_TEXT = /^([a-z]+):\/\/(\[[0-9a-f:.]+\]|[^\s\p{Cc}/?#@\\:%[\]]+)(?::(\d{1,5}))?([/?#][^\s\p{Cc}\\]*)?$/iu;
const USER_INFO = /^[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]*@/i;
const NAME = /^(?=.{1,253}$)([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;

/** Returns the host that will be looked up, or the reason for a refusal. */
function parse(text: string, schemes: readonly Scheme[]): { readonly host: string } | string {
  if (text.length > MAX_LENGTH) return `an address has at most ${MAX_LENGTH} characters`;
  const [, scheme = "", written = ""] = URL_TEXT.exec(text) ?? [];
  if (USER_INFO.test(text)) return "an address has no user name and no password";
  if (scheme !== "" && !schemes.some((each) => each === scheme.toLowerCase()))
    return `the scheme is ${schemes.join(" or ")}`;
  const url = URL.parse(text);
  if (scheme === "" || url === null) return `this is no URL such as ${schemes.at(-1)}://example.com/path`;
  const host = hostOf(url);
  // Refuses 127.1, 0x7f000001 and full-width digits: an address in disguise has no honest use.
  if (isIP(host) === 4 && host !== written) return "an IPv4 address is written as four decimal numbers";
  if (isIP(host) === 0 && !NAME.test(host)) return "the host is no name such as example.com";
  return refusedPort(url.port) ?? { host };
}

/** Returns the host without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** Ports from 1024 on that browsers refuse because other protocols use them (the "bad ports" of fetch). */
const badPorts = new Set([
  1_719, 1_720, 1_723, 2_049, 3_659, 4_045, 4_190, 5_060, 5_061, 6_000, 6_566, 6_665, 6_666, 6_667, 6_668, 6_669, 6_679,
  6_697, 10_080,
]);

function refusedPort(port: string): string | undefined {
  // URL omits the default port of the scheme.
  const number = port === "" ? 80 : Number(port);
  const good = number === 80 || number === 443 || (number >= 1_024 && !badPorts.has(number));
  return good ? undefined : `port ${port} is not for HTTP: 80, 443 and most above 1023 are`;
}
