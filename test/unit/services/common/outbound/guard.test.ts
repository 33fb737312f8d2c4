import { expect, test } from "vitest";
import { loadConfig } from "../../../../../services/common/config.ts";
import { outboundEnv } from "../../../../../services/common/outbound/config.ts";
import { createGuard, HTTP, type Scheme, WEB_SOCKET } from "../../../../../services/common/outbound/guard.ts";
import { hostileHosts, hostileTexts } from "./hostile-addresses.ts";

const guard = (domains = "", cidrs = "", reach: "public" | "listed" = "public") =>
  createGuard(loadConfig(outboundEnv, { ALLOWED_URL_DOMAINS: domains, ALLOWED_URL_CIDRS: cidrs }), reach);

const schemes: readonly (readonly [Scheme, readonly Scheme[]])[] = [
  ["http", HTTP],
  ["https", HTTP],
  ["ws", WEB_SOCKET],
  ["wss", WEB_SOCKET],
];

test.each(schemes)("%s: no hostile host gets through, of either guard", (scheme, allowed) => {
  const through = hostileHosts.filter(([host]) =>
    [guard(), guard("", "", "listed")].some((each) => each.refusal(`${scheme}://${host}`, allowed) === undefined),
  );

  expect(through).toEqual([]);
});

test.each(hostileTexts)("%j is refused, whatever is listed", (text) => {
  const open = guard("example.com,localhost", "0.0.0.0/0,::/0");

  expect(open.refusal(text, HTTP)).toEqual(expect.any(String));
  expect(open.refusal(text, WEB_SOCKET)).toEqual(expect.any(String));
});

test("what is listed gets through, and its refusal named the setting", () => {
  for (const [host, letThrough] of hostileHosts) {
    const text = `https://${host}/hook`;
    const refusals = [
      guard(letThrough?.domains, letThrough?.cidrs),
      guard(letThrough?.domains, letThrough?.cidrs, "listed"),
    ];

    if (letThrough === undefined) {
      expect(guard("example.com,localhost", "0.0.0.0/0,::/0").refusal(text, HTTP), host).toEqual(expect.any(String));
      continue;
    }
    expect(
      refusals.map((each) => each.refusal(text, HTTP)),
      host,
    ).toEqual([undefined, undefined]);
    expect(guard().refusal(text, HTTP), host).toMatch(/ALLOWED_URL_(CIDRS|DOMAINS)/);
  }
});

test("a listing lets through nothing beside it", () => {
  const listed = guard("hooks.example.com,*.internal.example", "10.1.0.0/16", "listed");
  const passes = (url: string) =>
    listed.refusal(url, HTTP) === undefined && listed.admits(new URL(url).hostname, "10.9.9.9");

  expect(passes("https://hooks.example.com/a")).toBe(true);
  expect(passes("https://a.b.internal.example:8443")).toBe(true);
  for (const host of [
    "example.com",
    "evil-hooks.example.com",
    "hooks.example.com.evil.com",
    "internal.example",
    "xinternal.example",
  ]) {
    expect(passes(`https://${host}`), host).toBe(false);
  }
  expect(listed.refusal("http://10.1.255.255", HTTP)).toBeUndefined();
  expect(listed.refusal("http://10.2.0.0", HTTP)).toContain("ALLOWED_URL_CIDRS");
});

test("where a token is passed on, only listed servers are reached", () => {
  expect(guard("", "", "listed").refusal("https://example.com/graphql", HTTP)).toBe(
    "example.com is not among ALLOWED_URL_DOMAINS",
  );
  expect(guard("", "", "listed").refusal("https://8.8.8.8/graphql", HTTP)).toContain("ALLOWED_URL_CIDRS");
  expect(guard("example.com", "", "listed").refusal("https://example.com/graphql", HTTP)).toBeUndefined();
  expect(guard("", "8.8.8.8", "listed").admits("dns.example", "8.8.4.4")).toBe(false);
});

test("global addresses and names get through, on ports of HTTP", () => {
  const urls = [
    "http://example.com",
    "https://example.com/path?query=a@b#x",
    "HTTPS://Example.COM:443/",
    "http://example.com:8080",
    "https://xn--mller-kva.example/",
    "https://müller.example/",
    "http://hook_1:5678/webhook",
    "http://8.8.8.8/",
    "http://172.32.0.1/",
    "http://[2606:4700::1111]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::808:808]/",
  ];

  expect(urls.filter((url) => guard().refusal(url, HTTP) !== undefined)).toEqual([]);
});

test("a scheme is for the member that asks for it", () => {
  expect(guard().refusal("ws://example.com", HTTP)).toBe("the scheme is http or https");
  expect(guard().refusal("https://example.com", WEB_SOCKET)).toBe("the scheme is ws or wss");
});

test("what a name resolves to is judged like a literal address", () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "64:ff9b::7f00:1", "not an address"]) {
    expect(guard().admits("example.com", address), address).toBe(false);
    expect(guard("example.com").admits("example.com", address), address).toBe(true);
  }
  expect(guard().admits("example.com", "8.8.8.8")).toBe(true);
});

test.each([
  ["ALLOWED_URL_CIDRS", "10.0.0.0/33"],
  ["ALLOWED_URL_CIDRS", "10.0.0/8"],
  ["ALLOWED_URL_CIDRS", "10.0.0.0/"],
  ["ALLOWED_URL_CIDRS", "example.com"],
  ["ALLOWED_URL_CIDRS", "fe80::1%eth0/64"],
  ["ALLOWED_URL_DOMAINS", "127.0.0.1"],
  ["ALLOWED_URL_DOMAINS", "*"],
  ["ALLOWED_URL_DOMAINS", "https://example.com"],
  ["ALLOWED_URL_DOMAINS", "example.com:80"],
])("%s=%s stops the start", (name, value) => {
  expect(() => loadConfig(outboundEnv, { [name]: value })).toThrow(`${name} wants`);
});
