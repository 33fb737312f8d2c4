// Replays in a browser: begun, steered and watched.
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../support/clients/receivers.ts";
import { askAt } from "../../support/clients/rest-client.ts";
import { newToken } from "../../support/running/new-token.ts";
import { square } from "../../support/scenes/zone.ts";
import { graveFindings, linkOf, shareConsole } from "./browser.ts";

const stage = shareConsole({ ALLOWED_URL_CIDRS: "127.0.0.0/8" });

const START = Date.parse("2026-01-01T12:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();
const IN_UTC = { timezoneId: "UTC" };
/** Each is seen once a second, and begins ten seconds after the one before. */
const TRACKS = ["a", "b", "c"];
const SECONDS = 20;

beforeAll(async () => {
  const { system } = stage();
  const { client } = system;
  const zone = { id: "door", dataSourceId: "gate", name: "Door", polygon: { coordinates: [square(100, 100)] } };
  await client.ask(
    `mutation ($zone: CreateZoneInput!) {
      createDataSource(dataSource: { id: "gate", name: "Gate", type: VIDEO_DEVICE }) { id }
      createZone(zone: $zone) { id }
    }`,
    { zone },
  );
  for (const [i, id] of TRACKS.entries()) {
    const detections = Array.from({ length: SECONDS + 1 }, (_, second) => ({
      timestamp: at(i * 10 + second),
      polygon: { coordinates: [square(10, second >= 5 && second < 15 ? 120 : 500)] },
    }));
    const [startTime, endTime] = [at(i * 10), at(i * 10 + SECONDS)];
    const track = { id, dataSourceId: "gate", tag: "person", startTime, endTime, detections };
    await client.ask(`mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`, { track });
  }
  await system.start("replay");
});

const FORM = `/replays?dataSource=gate&from=${at(0)}&to=${at(60)}`;

/** Opens the form for the time of all tracks, once the cameras are known. */
async function openForm(path = FORM): Promise<Page> {
  const page = await stage().open(path, IN_UTC);
  await page.waitForSelector("form.rest .chip >> text=Gate");
  return page;
}

const numbersOf = (page: Page): Promise<number[]> =>
  page.$$eval(".signals td.number", (cells) => cells.map(({ textContent }) => Number(textContent)));

test("without a receiver a replay is watched: it is paused, stepped, resumed, and its signals come once", async () => {
  const page = await openForm();
  expect(await page.inputValue("input[name=from]")).toMatch(/^2026-01-01T12:00/);
  expect(await page.locator("input[name=webhook_url]").count()).toBe(0);
  await page.selectOption("select[name=speed]", "0.5");
  await page.click("button[type=submit]");

  await page.waitForSelector(".signals tbody tr");
  await page.click("text=Pause");
  await page.waitForSelector(".state-mark:text('paused')");
  await page.click("text=10 steps");
  await page.waitForSelector("text=/step by step, (\\d+) of \\1 steps/");
  await page.selectOption(".replay select", "max");
  await page.waitForSelector(".state-mark:text('paused')");
  await page.click("text=Resume");

  await page.waitForSelector(".state-mark:text('finished')");
  const last = Number((await page.textContent(".replay summary"))?.match(/(\d+) signals of tracks/)?.[1]);
  await page.waitForSelector(`.signals tbody tr:nth-child(${last})`);
  expect(await numbersOf(page)).toEqual(Array.from({ length: last }, (_, i) => last - i));
  const text = await page.textContent(".signals");
  expect(text).toContain("track_created");
  expect(text).toContain("person a");
  await page.click("[aria-label='JSON of signal 1']");
  expect(JSON.parse((await page.textContent(".signals pre")) ?? "")).toMatchObject({ signal: "track_created" });
  expect(await graveFindings(page)).toEqual([]);
});

test("with a receiver the results of the deliveries are shown", async () => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const page = await openForm();
  await page.selectOption("select[name=mode]", "manual");
  await page.selectOption("select[name=to_receiver]", "yes");
  await page.fill("input[name=webhook_url]", receiver.url);
  await page.fill("input[name=id]", "received");
  await page.click("button[type=submit]");

  const session = page.locator("[aria-label='Replay received']");
  await session.locator("text=100 steps").click();
  await session.locator(".state-mark:text('finished')").waitFor();
  const signals = receiver.delivered().map(({ text }) => (JSON.parse(text) as { signal: string }).signal);
  expect(signals.filter((signal) => signal === "track_created")).toHaveLength(TRACKS.length);
  expect(await session.locator("summary").textContent()).toContain(`${signals.length} signals of tracks`);
  await page.waitForSelector(".signals .state-mark:text('delivered')");
  expect(await graveFindings(page)).toEqual([]);
});

test("a link of tracks fills the form, and replays them alone", async () => {
  const page = await openForm(`/replays?tracks=b&dataSource=gate&from=${at(0)}&to=${at(60)}`);
  await page.selectOption("select[name=speed]", "max");
  await page.click("button[type=submit]");

  await page.waitForSelector(".signals tbody tr");
  const tracks = await page.$$eval(".signals tbody tr td:nth-child(4)", (cells) =>
    cells.map(({ textContent }) => textContent),
  );
  expect(new Set(tracks)).toEqual(new Set(["person b"]));
});

/** The label of the session that has the focus, and the text of its button. */
const focusOf = async (page: Page): Promise<(string | null)[]> => [
  ...(await page.$$eval(".replay:has(:focus)", (cards) => cards.map((card) => card.getAttribute("aria-label")))),
  ...(await page.$$eval(".replay :focus", (buttons) => buttons.map(({ textContent }) => textContent.trim()))),
];

test("the focus stays with its session and button, and nothing is forgotten without a question", async () => {
  const { open, system, restUrl } = stage();
  const rest = askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
  const begin = (id: string, pace: object) => rest("POST", `/api/replay/${id}`, { track_ids: ["a"], ...pace });
  await begin("mine", { mode: "auto", speed: 0.1 });
  const page = await open("/replays");
  const mine = page.locator("[aria-label='Replay mine']");
  await mine.locator("button >> text=Pause").press("Enter");
  await mine.locator(".state-mark:text('paused')").waitFor();
  expect(await focusOf(page)).toEqual(["Replay mine", "Resume"]);
  await mine.locator("button:text-is('Step')").press("Enter");
  await mine.locator("text=/step by step, (\\d+) of \\1 steps/").waitFor();
  await mine.locator("button[aria-disabled=false]:text-is('Step')").waitFor();
  expect(await focusOf(page)).toEqual(["Replay mine", "Step"]);

  await mine.locator("button >> text=Stop").focus();
  await begin("theirs", { mode: "manual" });
  await page.waitForSelector(".replay:first-child[aria-label='Replay theirs']");
  expect(await focusOf(page)).toEqual(["Replay mine", "Stop …"]);
  const questions: string[] = [];
  page.once("dialog", (dialog) => {
    questions.push(dialog.message());
    dialog.dismiss();
  });
  await page.keyboard.press("Enter");
  await mine.locator("text=Resume").click();
  page.once("dialog", (dialog) => dialog.accept());
  await mine.locator("button >> text=Stop").press("Enter");
  await mine.waitFor({ state: "detached" });

  expect(questions).toEqual([expect.stringContaining("mine")]);
  expect([(await rest("GET", "/api/replay/mine")).status, (await rest("GET", "/api/replay/theirs")).status]).toEqual([
    404, 200,
  ]);
  await rest("DELETE", "/api/replay/theirs");
});

test("a token that may only read watches the session of another one, and steers nothing", async () => {
  const { open, system, restUrl } = stage();
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const rest = askAt(restUrl, token);
  await rest("POST", "/api/replay/seen", { track_ids: ["a"], mode: "auto", speed: "max" });
  const page = await open();

  await page.goto(linkOf({ url: system.url, token: await newToken(system, ["read"]) }, "/replays?id=seen"));

  await page.waitForSelector(".signals tbody tr");
  expect(await page.locator(".replay h2").allTextContents()).toEqual(["seen"]);
  const buttons = await page.locator("main button:not(.signals button)").allTextContents();
  expect(buttons.map((text) => text.trim())).toEqual(["Hide the signals", "Show"]);
});

test("a link with an id that is refused says so, and is forgotten with its page", async () => {
  const { open, system } = stage();
  const page = await open("", {}, /status of 400/);
  const token = await newToken(system, ["read"]);
  await page.goto(linkOf({ url: system.url, token }, `/replays?id=${"a".repeat(201)}`));
  await page.waitForSelector("main .refused[role=alert]");

  await page.click("text=Webhooks");
  await page.click("text=Replays");
  await page.waitForSelector("text=There is no replay");
});
