// Forms about signals, against the schemas of the REST interface.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import {
  filledTime,
  replayBody,
  SIGNAL_FILTERS,
  subscriptionBody,
} from "../../../../../services/console/data/signal-body.ts";

const own = { id: "id", value: "secret" };
const RECEIVER = "https://hooks.example/gate";

type Fields = Readonly<Record<string, string | readonly string[]>>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
  return form;
}

const subscription = (fields: Fields) =>
  subscriptionBody(formOf({ webhook_url: RECEIVER, workflow_name: "Gate", mode: "streaming", ...fields }), own);
const replay = (fields: Fields) =>
  replayBody(formOf({ webhook_url: RECEIVER, mode: "auto", part: "track_ids", ...fields }));

const document = JSON.parse(readFileSync(new URL("../../../../../docs/api/openapi.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(document, "openapi");

function faultsOf(path: string, body: object): unknown {
  const pointer = `openapi#/paths/${path.replaceAll("/", "~1")}/post/requestBody/content/application~1json/schema`;
  ajv.validate(pointer, body);
  return ajv.errors ?? [];
}

test("a subscription on behalf of the console's token, with what was filled in and nothing else", () => {
  const body = subscription({
    signal_type: "track_state",
    datasource_ids: ["a", "b"],
    tags: "person",
    zone_ids: "z",
    workflow_id: " ",
  });

  expect(body).toEqual({
    webhook_url: RECEIVER,
    workflow_name: "Gate",
    mode: "streaming",
    signal_type: "track_state",
    // A filter of zones has no effect on tracks, and would be refused.
    filters: { datasource_ids: ["a", "b"], tags: ["person"] },
    credentials: { x_token_id: "id", x_token_value: "secret" },
  });
});

test("another token takes the place of the console's", () => {
  const { credentials } = subscription({ token: "other", x_token_id: "robot", x_token_value: "value" });

  expect(credentials).toEqual({ x_token_id: "robot", x_token_value: "value" });
});

test("members of batches and of compositions are sent only with them", () => {
  const fields = { batch_interval: "60", zone_emit_mode: "composition", heartbeat_seconds: "5" };

  expect(subscription({ ...fields, mode: "batch" })).toMatchObject({ batch_interval: 60 });
  expect(subscription({ ...fields, mode: "batch" })).not.toHaveProperty("zone_emit_mode");
  const ofZones = subscription({ ...fields, signal_type: "zone_state" });
  expect(ofZones).toMatchObject({ zone_emit_mode: "composition", heartbeat_seconds: 5 });
  expect(ofZones).not.toHaveProperty("batch_interval");
});

test("a text with lines is a list", () => {
  const { filters } = subscription({ signal_type: "activity_chronicle", labels: " night \n\nday\r\n" });

  expect(filters).toEqual({ labels: ["night", "day"] });
});

test.each(["track_state", "zone_state", "activity_chronicle"])("every filter of %s is one of the interface", (type) => {
  const all = Object.fromEntries(SIGNAL_FILTERS.map(({ name }) => [name, "a"]));

  expect(
    faultsOf("/api/subscriptions/{id}", subscription({ ...all, signal_type: type, trigger_on: "chronicle_created" })),
  ).toEqual([]);
});

test("a misspelt filter would be found", () => {
  const body = { ...subscription({}), filters: { tag: ["a"] } };

  expect(faultsOf("/api/subscriptions/{id}", body)).not.toEqual([]);
});

test.each<[string, Fields, object]>([
  ["tracks", { track_ids: "a\nb" }, { track_ids: ["a", "b"], mode: "auto" }],
  [
    "a time of cameras",
    { part: "range", data_source_ids: ["a"], from: "2026-11-24T14:00:00Z", to: "2026-11-24T15:00:00Z", speed: "10" },
    {
      range: { data_source_ids: ["a"], from: "2026-11-24T14:00:00.000Z", to: "2026-11-24T15:00:00.000Z" },
      speed: 10,
    },
  ],
  [
    "offsets",
    { part: "offsets", partition: "3", from_offset: "0", to_offset: "100", mode: "manual", speed: "max" },
    { offsets: [{ partition: 3, from: 0, to: 100 }], mode: "manual" },
  ],
  [
    "other settings and zones",
    { track_ids: "a", zones: "now", track_ttl: "5.5", processing_mode: "batch", speed: "max" },
    { zones: "now", settings: { track_ttl: 5.5 }, processing_mode: "batch", speed: "max" },
  ],
])("a replay of %s", (_, fields, members) => {
  const body = replay(fields);

  expect(body).toMatchObject(members);
  expect(faultsOf("/api/replay/{id}", body)).toEqual([]);
});

test("a time that was not edited is exactly the one of the link", () => {
  // A clock of this zone shows 02:30 twice in that night; a text is the first one.
  const second = Date.parse("2026-10-25T01:30:00.250Z");
  const filled = { part: "range", data_source_ids: "a", from_filled: filledTime("2026-10-25T02:30:00", second) };
  const rangeOf = (from: string) => replay({ ...filled, from, to: "2026-11-24T15:00:00Z" })["range"];

  expect(rangeOf("2026-10-25T02:30:00")).toMatchObject({ from: "2026-10-25T01:30:00.250Z" });
  // Browsers leave out seconds that are zero.
  expect(rangeOf("2026-10-25T02:30")).toMatchObject({ from: "2026-10-25T01:30:00.250Z" });
  const edited = "2026-10-25T04:31:00";
  expect(rangeOf(edited)).toMatchObject({ from: new Date(edited).toISOString() });
});

test("a session that goes step by step has no speed", () => {
  expect(replay({ track_ids: "a", mode: "manual", speed: "max" })).not.toHaveProperty("speed");
});
