// The explorer's script, run as a browser runs it, with stand-ins for the browser's parts.
import { runInNewContext } from "node:vm";
import { parse, validate } from "graphql";
import { expect, test } from "vitest";
import { createSchema } from "../../../../services/api/graphql/schema.ts";
import { graphiqlScript, type PageSettings } from "../../../../services/api/http/graphiql-page.ts";
import { welcome } from "../../../../services/embedded/welcome.ts";
import { createTestApi } from "./support.ts";

const token = { id: "id", value: "a+b/c=&d#e" };
const headers = { "x-token-id": token.id, "x-token-value": token.value };
const restUrl = "http://127.0.0.1:8080";
const message = (url: string) => welcome({ url, restUrl, token, zoneId: "z 1", dataDir: ".tracklog", since: 0 });
const linkIn = (text: string) => /GraphiQL\s+(\S+)/.exec(text)?.[1] ?? "";
const link = linkIn(message("http://127.0.0.1:4000/graphql"));

interface Opened {
  readonly defaultQuery: string;
  readonly fetcher: (operation: object, options?: object) => unknown;
  /** The headers of the page's own requests. */
  readonly sentHeaders: object;
  readonly sentParams: object;
  readonly address: string;
}

/** Opens the page; `kept` is the storage of the browser's tab. */
function open(address: string, settings: Partial<PageSettings> = {}, kept = new Map<string, string>()): Opened {
  const url = new URL(address);
  const addresses = [address];
  const fetchers: { headers: object; wsConnectionParams: object }[] = [];
  const rendered: Pick<Opened, "defaultQuery" | "fetcher">[] = [];
  const createFetcher = (options: { headers: object; wsConnectionParams: object }) => {
    fetchers.push(options);
    return () => "sent";
  };
  runInNewContext(graphiqlScript({ needsToken: true, takesLink: true, ...settings }), {
    location: { origin: url.origin, hash: url.hash, pathname: url.pathname },
    history: { replaceState: (_state: null, _title: string, path: string) => void addresses.push(path) },
    sessionStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) },
    document: { getElementById: () => undefined },
    addEventListener: () => undefined,
    URLSearchParams,
    GraphiQL: { createFetcher },
    React: { createElement: (_component: object, props: Opened) => void rendered.push(props) },
    ReactDOM: { createRoot: () => ({ render: () => undefined }) },
  });
  const [props, fetcher] = [rendered[0], fetchers[0]];
  if (props === undefined || fetcher === undefined) throw new Error("the page was not rendered");
  const [sentHeaders, sentParams] = [{ ...fetcher.headers }, { ...fetcher.wsConnectionParams }];
  return { ...props, sentHeaders, sentParams, address: addresses.at(-1) ?? "" };
}

test("the printed link opens the page with the token, over HTTP and WebSocket, and leaves the address bar without it", () => {
  const page = open(link);

  expect(page.sentHeaders).toEqual(headers);
  expect(page.sentParams).toEqual(headers);
  expect(page.fetcher({})).toBe("sent");
  expect(page.address).toBe("/graphiql");
});

test("a reload keeps the token, another link replaces it", () => {
  const kept = new Map<string, string>();
  open(link, {}, kept);

  expect(open("http://127.0.0.1:4000/graphiql", {}, kept).sentHeaders).toEqual(headers);
  const other = { "x-token-id": "other", "x-token-value": "v" };
  expect(open(`http://127.0.0.1:4000/graphiql#${new URLSearchParams(other)}`, {}, kept).sentHeaders).toEqual(other);
});

test("the query it opens with is one that the schema takes", () => {
  const { defaultQuery } = open(link);

  expect(validate(createSchema({}), parse(defaultQuery))).toEqual([]);
  expect(defaultQuery).toContain(new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10));
});

test("without a token it says where to get one instead of asking for nothing", () => {
  const page = open("http://127.0.0.1:4000/graphiql");

  expect(page.fetcher({})).toMatchObject({ errors: [{ message: expect.stringContaining("npm start") }] });
  expect(page.fetcher({}, { headers: { "X-Token-Id": "id" } })).toBe("sent");
  expect(open("http://127.0.0.1:4000/graphiql", { needsToken: false }).fetcher({})).toBe("sent");
});

test("a page that others can reach takes no token from its address, and no link with one is printed", async () => {
  const served = async (API_HOST: string) => {
    const { app } = await createTestApi({ env: { API_GRAPHIQL: "true", API_HOST } });
    return (await app.inject("/graphiql")).body;
  };

  expect(open(link, { takesLink: false }).sentHeaders).toEqual({});
  expect(await served("127.0.0.1")).toContain("location.hash");
  expect(await served("0.0.0.0")).not.toContain("location.hash");
  expect(linkIn(message("http://0.0.0.0:4000/graphql"))).toBe("http://0.0.0.0:4000/graphiql");
});

test("a printed command asks for a zone as it is now", () => {
  expect(message("http://127.0.0.1:4000/graphql")).toContain(`curl -s ${restUrl}/api/zones/z%201 -H 'x-token-id: id'`);
});

test("the printed import command finds an API on another port", () => {
  expect(message("http://127.0.0.1:4000/graphql")).not.toContain("--url");
  expect(message("http://127.0.0.1:4100/graphql")).toMatch(
    /npm run import -- FILE .* --url http:\/\/127\.0\.0\.1:4100\/graphql$/m,
  );
});

test("no other site frames the page, and what an answer holds fetches no pictures", async () => {
  const { app } = await createTestApi({ env: { API_GRAPHIQL: "true" } });

  const { headers } = await app.inject({ method: "GET", url: "/graphiql" });

  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'; img-src 'self' data:");
});
