// Questions and webhooks in a browser: what the pages show is what the interfaces answer.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { createGraphQLClient } from "../../support/clients/graphql-client.ts";
import { startReceiver } from "../../support/clients/receivers.ts";
import { askAt } from "../../support/clients/rest-client.ts";
import { until } from "../../support/running/processes.ts";
import { sharedCodec } from "../../support/running/shared-codec.ts";
import { square } from "../../support/scenes/zone.ts";
import { graveFindings, linkOf, shareConsole } from "./browser.ts";

const stage = shareConsole({ ALLOWED_URL_CIDRS: "127.0.0.0/8" });

const START = Date.parse("2026-01-01T12:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
/** A name that a careless file would break, or that a spreadsheet would run. */
const ZONE = '=door, "north"';
const DAY = "from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z";
const ZONE_ID = "door";
/** The first one is in the zone from 5 s to 15 s, the others each ten seconds later. */
const TRACKS = ["a", "b", "c"];

beforeAll(async () => {
  const { client } = stage().system;
  const area = square(100, 100);
  await client.ask(
    `mutation ($zone: CreateZoneInput!) {
      createDataSource(dataSource: { id: "gate", name: "Gate", type: VIDEO_DEVICE }) { id }
      createZone(zone: $zone) { id }
    }`,
    { zone: { id: ZONE_ID, dataSourceId: "gate", name: ZONE, polygon: { coordinates: [area] } } },
  );
  let position = "";
  for (const [i, id] of TRACKS.entries()) {
    const detections = Array.from({ length: 21 }, (_, second) => {
      const isInside = second >= 5 && second < 15;
      return { timestamp: at(i * 10 + second), polygon: { coordinates: [square(10, isInside ? 120 : 500)] } };
    });
    const track = {
      id,
      dataSourceId: "gate",
      tag: "person",
      startTime: at(i * 10),
      endTime: at(i * 10 + 20),
      detections,
    };
    const written = await client.send(`mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`, {
      track,
    });
    position = written.extensions?.position ?? "";
  }
  await client.ask(`{ zoneIntersections(filter: { time: {} }) { totalCount } }`, {}, { "x-min-position": position });
});

interface Stays {
  readonly zoneIntersections: {
    readonly edges: readonly {
      readonly node: { readonly startTime: string; readonly endTime: string; readonly track: { readonly id: string } };
    }[];
  };
}

/** The answer of the API, newest first, as the page asks for it. */
async function stays(filter: object) {
  const answer = await stage().system.client.ask<Stays>(
    `query ($filter: FilterZoneIntersectionInput!) {
      zoneIntersections(filter: $filter, sort: [{ field: START_TIME, direction: DESC }]) {
        edges { node { startTime endTime track { id } } }
      }
    }`,
    { filter },
  );
  return answer.zoneIntersections.edges.map(({ node }) => node);
}

/** The texts of the columns of the answer, by their names. */
async function column(page: Page, name: string): Promise<string[]> {
  const heads = await page.locator("table.answer thead th").allInnerTexts();
  const place = heads.findIndex((text) => text.trim().startsWith(name)) + 1;
  return page.locator(`table.answer tbody td:nth-child(${place})`).allInnerTexts();
}

/** Types a part of a name into a field, and takes the first one that has it. */
async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.click(`#choose-${field}`);
  await page.keyboard.type(text);
  await page.waitForSelector(`#choose-${field}-0.active`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`#choose-${field}-0[aria-selected=true]`);
  await page.keyboard.press("Escape");
}

const IN_UTC = { timezoneId: "UTC" };

test("a question shows the rows of the API, and each leads to the picture of its moment", async () => {
  const page = await stage().open(`/ask?of=intersections&${DAY}`, IN_UTC);
  await page.waitForSelector("table.answer tbody tr");

  const expected = await stays({ time: {}, zoneId: { eq: ZONE_ID } });
  expect(expected.map(({ track }) => track.id)).toEqual(["c", "b", "a"]);
  expect(await column(page, "Track")).toEqual(expected.map(({ track }) => track.id));
  expect(await column(page, "Start")).toEqual(
    expected.map(({ startTime }) => startTime.slice(0, 19).replace("T", " ")),
  );
  expect(await column(page, "Zone")).toEqual([ZONE, ZONE, ZONE]);
  const links = await page
    .locator("table.answer tbody tr:last-child a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual([`/console/cameras/gate?at=${at(5)}&track=a`, `/console/tracks/gate/a?at=${at(5)}`]);
  await page.waitForSelector(".found >> text=3 found");
  expect(await graveFindings(page)).toEqual([]);
});

test("who was in the zone at that moment is a few clicks away, and its address asks it again", async () => {
  const page = await stage().open("/ask", IN_UTC);
  await page.selectOption("select[name=time]", "moment");
  await page.fill("input[type=datetime-local]", "2026-01-01T12:00:17");
  await choose(page, "zone", "north");
  await page.waitForSelector("table.answer tbody tr");

  // The first track has left by then, and the third one has not come.
  await page.waitForSelector("table.answer tbody tr:only-child");
  expect(await column(page, "Track")).toEqual(["b"]);
  expect(await page.locator("table.answer tbody a").first().getAttribute("href")).toContain(`at=${at(17)}`);
  await page.reload();
  await page.waitForSelector("table.answer tbody tr");
  expect(await column(page, "Track")).toEqual(["b"]);
});

test("objects are found by their names with the keys alone, and none is asked for before that", async () => {
  const page = await stage().open("", IN_UTC);
  const asked: string[] = [];
  page.on("request", (request) => {
    const document = (request.postDataJSON() as { query?: string } | null)?.query ?? "";
    if (document.startsWith("query Choices")) asked.push(document);
  });
  await page.click("header nav a >> text=Ask");
  await page.selectOption("select[name=time]", "always");
  await page.waitForSelector("table.answer tbody tr");
  expect(asked).toEqual([]);

  await page.focus("#choose-camera");
  await page.keyboard.press("ArrowDown");
  await page.waitForSelector("#choose-camera-list [role=option]");
  await page.keyboard.press("ArrowDown");
  expect(await graveFindings(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#choose-camera-0[aria-selected=true]");
  expect(new URL(page.url()).searchParams.getAll("camera")).toEqual(["gate"]);

  await page.keyboard.type("nobody");
  await page.waitForSelector(".choose-list [role=status] >> text=No match.");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".chip:focus >> text=Gate");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#choose-camera:focus");
  expect(new URL(page.url()).searchParams.getAll("camera")).toEqual([]);
});

test("a link with ids shows names, and the id of what is gone", async () => {
  const page = await stage().open(`/ask?of=intersections&${DAY}&zone=${ZONE_ID}&zone=gone`, IN_UTC);
  await page.waitForSelector(".chip >> text=north");
  const names = await page.locator(".chip").allInnerTexts();
  expect(names.map((text) => text.replace(/\s*×$/, ""))).toEqual([ZONE, "gone"]);
});

test("conditions that are open stay open when the last of them is taken out", async () => {
  const page = await stage().open("/ask?of=count-tracks&placeName=gate", IN_UTC);
  await page.waitForSelector("details[open] input[name=placeName]");

  await page.fill("input[name=placeName]", "");
  await page.keyboard.press("Enter");

  await expect.poll(() => new URL(page.url()).searchParams.has("placeName")).toBe(false);
  await page.waitForSelector("details[open] input[name=placeName]:focus");
});

test("a question whose address is too long says so", async () => {
  const cameras = Array.from({ length: 400 }, (_, i) => `&camera=a-camera-with-a-long-name-${i}`).join("");
  const page = await stage().open("/ask?of=intersections&last=1h", IN_UTC);
  await page.waitForSelector("form.asked");
  await page.evaluate(`history.pushState(null, "", "/console/ask?of=intersections${cameras}");
    dispatchEvent(new PopStateEvent("popstate"))`);

  await page.waitForSelector("text=This question is too long for a link");
});

test("an area that is none is refused at its field, and nothing is asked", async () => {
  const page = await stage().open(`/ask?of=detections&${DAY}`, IN_UTC);
  await page.click("summary >> text=More conditions");
  await page.fill("input[name=area]", "52.4, 104.9, 10");
  await page.press("input[name=area]", "Enter");
  expect(await page.evaluate('document.querySelector("input[name=area]").validationMessage')).toContain("longitude");
  expect(page.url()).not.toContain("area");

  await page.fill("input[name=area]", "4.9, 52.4, 10");
  await page.press("input[name=area]", "Enter");
  await page.waitForURL(/area=/);
  await page.waitForSelector("main .empty");
});

test("the file has the rows of the answer, and a spreadsheet runs none of its texts", async () => {
  const page = await stage().open(`/ask?of=intersections&${DAY}`, IN_UTC);
  await page.waitForSelector("table.answer tbody tr");

  const [download] = await Promise.all([page.waitForEvent("download"), page.click("button.csv")]);
  const [head, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");

  expect(head).toBe("\uFEFFZone,Tag,Start,End,Length (s),Camera,Track,Zone id,Camera id");
  const zone = `"'=door, ""north"""`;
  expect(lines).toEqual(
    (await stays({ time: {} })).map(
      ({ startTime, endTime, track: { id } }) => `${zone},person,${startTime},${endTime},10,Gate,${id},${ZONE_ID},gate`,
    ),
  );
});

test("the time line has a bar for each row, the plot adds them up, and the query can be taken along", async () => {
  const page = await stage().open(`/ask?of=intersections&${DAY}&view=time`, IN_UTC);
  await page.waitForSelector(".lane .bar");
  expect(await page.locator(".lane .bar").count()).toBe(3);

  await page.goto(page.url().replace(/\?.*/, `?of=count-intersections&${DAY}&size=DAYS`));
  await page.waitForSelector(".plot canvas");
  expect(await column(page, "Count")).toEqual(["3"]);
  expect(await column(page, "Average length")).toEqual(["10 s"]);

  await page.click("text=Query");
  await page.waitForSelector(".query pre");
  const [document, variables] = await page.locator(".query pre").allInnerTexts();
  const answer = await stage().system.client.ask<{ zoneIntersectionSummary: { total: number } }>(
    document ?? "",
    JSON.parse(variables ?? ""),
  );
  expect(answer.zoneIntersectionSummary.total).toBe(3);
});

test("a webhook of the form exists, its test arrives, and a refused value is shown at its field", async () => {
  const { open, system, restUrl } = stage();
  const rest = askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await system.start("webhooks", { WEBHOOKS_GRAPHQL_URL: system.url });
  const page = await open("/webhooks?new", {}, /status of 4(00|04|12)/);
  await page.fill("input[name=id]", "by-form");
  await page.fill("input[name=workflow_name]", "Gate");
  await choose(page, "datasource_ids", "gat");
  await page.fill("input[name=webhook_url]", "http://10.0.0.1/hook");
  await page.click("button[type=submit]");

  await page.waitForSelector("input[name=webhook_url][aria-invalid=true]");
  expect(await graveFindings(page)).toEqual([]);
  await page.fill("input[name=webhook_url]", receiver.url);
  await page.click("button[type=submit]");
  await page.waitForSelector(".secret code");

  const { secret, ...created } = (await rest("GET", "/api/subscriptions/by-form")).body as Record<string, unknown>;
  expect(secret).toBeUndefined();
  expect(created).toMatchObject({
    webhook_url: receiver.url,
    workflow_name: "Gate",
    filters: { datasource_ids: ["gate"] },
  });
  await page.click("text=Send a test");
  await until(() => receiver.delivered().length === 1);
  await page.waitForSelector(".deliveries .state-mark.good");
  expect(await graveFindings(page)).toEqual([]);

  await page.goto(page.url().replace(/\?.*/, "?new"));
  for (const [name, value] of Object.entries({ id: "by-form", workflow_name: "Door", webhook_url: receiver.url }))
    await page.fill(`input[name=${name}]`, value);
  await page.click("button[type=submit]");
  await page.waitForSelector("form.rest .fault >> text=There is a webhook with this id.");
  expect((await rest("GET", "/api/subscriptions/by-form")).body).toMatchObject({ workflow_name: "Gate" });
  await page.goto(page.url().replace(/\?.*/, "?id=by-form"));

  page.on("dialog", (dialog) => dialog.accept());
  await page.click("text=Delete");
  await page.waitForSelector("text=is deleted");
  expect((await rest("GET", "/api/subscriptions/by-form")).status).toBe(404);
});

test("the search of webhooks stays while it has a text, however few are left", async () => {
  const { open, system, restUrl } = stage();
  const rest = askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const credentials = { x_token_id: system.token.id, x_token_value: system.token.value };
  const body = { webhook_url: "https://receiver.example/", workflow_name: "Gate", mode: "streaming", credentials };
  const ids = Array.from({ length: 11 }, (_, i) => `few-${i}`);
  for (const id of ids) await rest("POST", `/api/subscriptions/${id}`, { ...body, signal_type: "track_state" });
  const page = await open("/webhooks", {}, /status of 404/);
  await page.fill("main input[type=search]", "few-10");
  await page.click("table.answer a >> text=few-10");

  page.on("dialog", (dialog) => dialog.accept());
  await page.click("main button >> text=Delete");
  await page.waitForSelector("[role=status] >> text=is deleted");
  expect(await page.inputValue("main input[type=search]")).toBe("few-10");
  await page.waitForSelector("text=No webhook has these words");
  await page.fill("main input[type=search]", "");
  await page.waitForSelector("table.answer tbody tr:nth-child(10)");

  for (const id of ids) await rest("DELETE", `/api/subscriptions/${id}`);
});

test("of many webhooks the first are shown, further ones on request, and a search finds any", async () => {
  const { open, system, restUrl } = stage();
  const rest = askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const credentials = { x_token_id: system.token.id, x_token_value: system.token.value };
  const ids = Array.from({ length: 105 }, (_, i) => `many-${String(i).padStart(3, "0")}`);
  for (const id of ids) {
    const body = { webhook_url: "https://receiver.example/", workflow_name: "Gate", mode: "streaming", credentials };
    const created = await rest("POST", `/api/subscriptions/${id}`, {
      ...body,
      signal_type: "track_state",
      filters: { datasource_ids: [id] },
    });
    expect(created.status).toBe(201);
  }
  const page = await open("/webhooks");
  await page.waitForSelector("text=The first 100 are shown.");
  expect(await page.locator("table.answer tbody tr").count()).toBe(100);

  await page.click("main button >> text=Show more");
  await page.waitForSelector("table.answer tbody tr:nth-child(105)");
  expect(await page.locator("main button >> text=Show more").count()).toBe(0);

  await page.reload();
  await page.fill("main input[type=search]", "many-104");
  await page.waitForSelector("table.answer tbody tr:only-child >> text=many-104");
  expect(await graveFindings(page)).toEqual([]);
});

test("a token that may only read sees webhooks, and no button that changes one", async () => {
  const { open, system, restUrl } = stage();
  const rest = askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const body = { webhook_url: "https://receiver.example/", workflow_name: "Gate", mode: "streaming" };
  const credentials = { x_token_id: system.token.id, x_token_value: system.token.value };
  await rest("POST", "/api/subscriptions/seen", { ...body, signal_type: "track_state", credentials });
  const page = await open("/webhooks");
  await page.waitForSelector("main a.button");

  await page.goto(linkOf({ url: system.url, token: await createReader() }, "/webhooks?id=seen"));
  await page.waitForSelector(".facts");
  expect(await page.textContent("main")).toContain("https://receiver.example/");
  expect(await page.locator("main button").count()).toBe(0);
  await page.click("text=All webhooks");
  await page.waitForSelector("table.answer");
  expect(await page.locator("main a.button").count()).toBe(0);
});

/** A token with the scope read alone, once the API knows it. */
async function createReader() {
  const { env, namespace, url } = stage().system;
  const log = createLog("test", "silent");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const tokens = createTokenStore({ kafka, codec: await sharedCodec(env), namespace, log, now: Date.now });
  const token = await tokens.create("reader", ["read"]);
  const client = createGraphQLClient(url, token);
  await until(() => client.ask("{ tags { totalCount } }"));
  return token;
}
