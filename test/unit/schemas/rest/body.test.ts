import { expect, test } from "vitest";
import { signalSettings } from "../../../../projections/webhooks/subscriptions/settings.ts";
import { replayBody } from "../../../../schemas/rest/replay.ts";
import { subscriptionBody } from "../../../../schemas/rest/subscriptions.ts";
import { noFilters } from "../../../support/scenes/no-filters.ts";

const body = (given: object = {}) => ({
  webhook_url: "https://hooks.example.com/a",
  workflow_name: "A",
  mode: "streaming",
  signal_type: "track_state",
  credentials: { x_token_id: "id", x_token_value: "value" },
  ...given,
});

const without = (name: string) => {
  const { [name]: _, ...rest }: Record<string, unknown> = body();
  return rest;
};

const chronicles = { signal_type: "activity_chronicle" };
const zones = { signal_type: "zone_state" };
const many = (count: number, length = 1) => Array.from({ length: count }, (_, i) => `${i}`.padStart(length, "x"));
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString("base64")}`;

/** [what is wrong, the body, the member at fault] */
const refused: readonly (readonly [string, unknown, string])[] = [
  ["no object", [], ""],
  ["null", null, ""],
  ["no webhook_url", without("webhook_url"), "webhook_url"],
  ["no workflow_name", without("workflow_name"), "workflow_name"],
  ["no mode", without("mode"), "mode"],
  ["filters of 1000 values with 66 characters each", body({ filters: { tags: many(1_000, 66) } }), ""],
  ["no credentials", without("credentials"), "credentials"],
  ["no signal_type in the mode streaming", without("signal_type"), "signal_type"],
  ["null as signal_type in the mode streaming", body({ signal_type: null }), "signal_type"],
  ["an unknown mode", body({ mode: "stream" }), "mode"],
  ["an unknown signal_type", body({ signal_type: "track" }), "signal_type"],
  ["no text as webhook_url", body({ webhook_url: 7 }), "webhook_url"],
  ["a relative webhook_url", body({ webhook_url: "/hook" }), "webhook_url"],
  ["a webhook_url of another scheme", body({ webhook_url: "ws://example.com" }), "webhook_url"],
  ["a webhook_url with a user", body({ webhook_url: "https://u:p@example.com" }), "webhook_url"],
  ["a webhook_url of 3 KB", body({ webhook_url: `https://example.com/${"a".repeat(3_000)}` }), "webhook_url"],
  ["an empty workflow_name", body({ workflow_name: "" }), "workflow_name"],
  ["a workflow_name of 10 KB", body({ workflow_name: "a".repeat(10_000) }), "workflow_name"],
  ["half a character as workflow_name", body({ workflow_name: "\ud800" }), "workflow_name"],
  ["a number as workflow_id", body({ workflow_id: 7 }), "workflow_id"],
  ["no x_token_id", body({ credentials: { x_token_value: "v" } }), "credentials.x_token_id"],
  ["no x_token_value", body({ credentials: { x_token_id: "i" } }), "credentials.x_token_value"],
  [
    "a graphql_url of another scheme",
    body({ credentials: { x_token_id: "i", x_token_value: "v", graphql_url: "ws://example.com" } }),
    "credentials.graphql_url",
  ],
  [
    "a ws_url of another scheme",
    body({ credentials: { x_token_id: "i", x_token_value: "v", ws_url: "http://example.com" } }),
    "credentials.ws_url",
  ],
  ["batches of zones", body({ mode: "batch", ...zones }), "signal_type"],
  ["batches of chronicles", body({ mode: "batch", ...chronicles }), "signal_type"],
  ["composition of tracks", body({ zone_emit_mode: "composition" }), "zone_emit_mode"],
  ["composition of chronicles", body({ zone_emit_mode: "composition", ...chronicles }), "zone_emit_mode"],
  ["composition in batches", body({ zone_emit_mode: "composition", mode: "batch" }), "zone_emit_mode"],
  ["an unknown zone_emit_mode", body({ zone_emit_mode: "some" }), "zone_emit_mode"],
  ["a negative heartbeat", body({ heartbeat_seconds: -1 }), "heartbeat_seconds"],
  ["a heartbeat of more than a day", body({ heartbeat_seconds: 86_401 }), "heartbeat_seconds"],
  ["a text as heartbeat", body({ heartbeat_seconds: "30" }), "heartbeat_seconds"],
  ["a short batch_interval", body({ batch_interval: 9.9 }), "batch_interval"],
  ["a long batch_interval", body({ batch_interval: 301 }), "batch_interval"],
  ["a negative pixel threshold", body({ pixel_proximity_threshold: -1 }), "pixel_proximity_threshold"],
  ["an enormous pixel threshold", body({ pixel_proximity_threshold: 1e9 }), "pixel_proximity_threshold"],
  ["a negative geographic threshold", body({ geo_proximity_threshold_m: -0.1 }), "geo_proximity_threshold_m"],
  ["an unknown trigger", body({ trigger_on: ["track_created"] }), "trigger_on.0"],
  ["no list of triggers", body({ trigger_on: "chronicle_created" }), "trigger_on"],
  ["no object as filters", body({ filters: [] }), "filters"],
  ["an unknown filter", body({ filters: { datasource_id: ["a"] } }), "filters"],
  ["no list as a filter", body({ filters: { tags: "person" } }), "filters.tags"],
  ["an empty id in a filter", body({ filters: { datasource_ids: [""] } }), "filters.datasource_ids.0"],
  [
    "an id of 10 KB in a filter",
    body({ filters: { datasource_ids: ["a".repeat(10_000)] } }),
    "filters.datasource_ids.0",
  ],
  ["a control character in a filter", body({ filters: { site_id: "a\nb" } }), "filters.site_id"],
  ["too many values", body({ filters: { datasource_ids: many(600), tags: many(401) } }), "filters"],
  ["zones of tracks", body({ filters: { zone_ids: ["z"] } }), "filters.zone_ids"],
  ["labels of tracks", body({ filters: { labels: ["l"] } }), "filters.labels"],
  ["statuses of zones", body({ ...zones, filters: { statuses: ["s"] } }), "filters.statuses"],
  ["tags of chronicles", body({ ...chronicles, filters: { tags: ["t"] } }), "filters.tags"],
  ["zones of chronicles", body({ ...chronicles, filters: { zone_ids: ["z"] } }), "filters.zone_ids"],
  ["a secret without its prefix", body({ webhook_secret: "a".repeat(32) }), "webhook_secret"],
  ["a short secret", body({ webhook_secret: secretOf(23) }), "webhook_secret"],
  ["a long secret", body({ webhook_secret: secretOf(65) }), "webhook_secret"],
  ["a secret that is no base64", body({ webhook_secret: `whsec_${"*".repeat(40)}` }), "webhook_secret"],
  ["a secret cut short", body({ webhook_secret: secretOf(25).slice(0, -1) }), "webhook_secret"],
];

test.each(refused)("%s is refused", (_what, given, path) => {
  const issues = subscriptionBody.safeParse(given).error?.issues ?? [];

  expect(issues.map((issue) => issue.path.join("."))).toContain(path);
});

test.each([
  ["the least", body(), {}],
  ["more members", body({ name: "x", credentials: { ...body().credentials, more: 1 } }), {}],
  ["null for what may be left out", body({ filters: null, heartbeat_seconds: null, trigger_on: null }), {}],
  ["empty filters", body({ filters: { datasource_ids: [], tags: null, site_id: "" } }), {}],
  ["a batch without signal_type", body({ mode: "batch", signal_type: null }), { mode: "batch" }],
  ["a heartbeat of 0", body({ heartbeat_seconds: 0 }), {}],
  ["bounds", body({ heartbeat_seconds: 86_400, batch_interval: 10 }), { heartbeatSeconds: 86_400, batchInterval: 10 }],
  ["a heartbeat in another mode", body({ heartbeat_seconds: 5 }), { heartbeatSeconds: 5 }],
  [
    "triggers, twice",
    body({ trigger_on: ["chronicle_closed", "chronicle_closed"] }),
    { triggerOn: ["chronicle_closed"] },
  ],
  ["no triggers", body({ trigger_on: [] }), {}],
  [
    "composition",
    body({ ...zones, zone_emit_mode: "composition", heartbeat_seconds: 0.5 }),
    { signalType: "zone_state", zoneEmitMode: "composition", heartbeatSeconds: 0.5 },
  ],
  [
    "filters of zones",
    body({ ...zones, filters: { datasource_ids: ["d", "d"], tags: ["Person"], zone_ids: ["z"], site_id: "s" } }),
    {
      signalType: "zone_state",
      filters: { ...noFilters, dataSourceIds: ["d"], tags: ["Person"], zoneIds: ["z"], siteIds: ["s"] },
    },
  ],
  [
    "filters of chronicles",
    body({ ...chronicles, filters: { labels: ["l"], site_id: "s", site_ids: ["s", "t"], producer_ids: ["p"] } }),
    {
      signalType: "activity_chronicle",
      filters: { ...noFilters, labels: ["l"], siteIds: ["s", "t"], producerIds: ["p"] },
    },
  ],
  [
    "as many values as are allowed",
    body({ filters: { tags: many(1_000, 65) } }),
    { filters: { ...noFilters, tags: many(1_000, 65) } },
  ],
])("%s is accepted", (_what, given, settings) => {
  expect(signalSettings(subscriptionBody.parse(given))).toEqual({
    mode: "streaming",
    signalType: "track_state",
    filters: noFilters,
    zoneEmitMode: "all",
    heartbeatSeconds: 30,
    batchInterval: 30,
    pixelProximityThreshold: 50,
    geoProximityThresholdM: 5,
    triggerOn: ["chronicle_created", "chronicle_updated", "chronicle_closed"],
    ...settings,
  });
});

test.each([24, 25, 26, 64])("a secret of %d bytes is accepted", (bytes) => {
  expect(subscriptionBody.parse(body({ webhook_secret: secretOf(bytes) })).webhook_secret).toBe(secretOf(bytes));
});

test("of a list that is far too long one flaw is told, not one for each item", () => {
  const issues = subscriptionBody.safeParse(body({ filters: { tags: Array(300_000).fill("") } })).error?.issues;

  expect(issues).toMatchObject([{ path: ["filters", "tags"], message: "at most 1000 items" }]);
});

test.each([[{}], [{ webhook_url: null }]])("a secret for a replay with %j is refused", (receiver) => {
  const given = { track_ids: ["a"], mode: "auto", webhook_secret: secretOf(24) };

  expect(replayBody(1).safeParse({ ...given, ...receiver }).error?.issues).toMatchObject([
    { path: ["webhook_secret"], message: "it is only possible with a webhook_url" },
  ]);
  expect(replayBody(1).safeParse({ ...given, webhook_url: "https://hooks.example.com/a" }).success).toBe(true);
});

test("all texts of a replay's body are bounded as well, with the ids of its tracks", () => {
  const check = (count: number) =>
    replayBody(1_000).safeParse({
      ...{ track_ids: many(count, 199), mode: "auto", webhook_url: "https://hooks.example.com/a" },
      filters: { tags: many(50, 500) },
    });

  expect(check(200).success).toBe(true);
  expect(check(210).error?.issues).toMatchObject([
    { path: [], message: "all texts together have at most 65536 bytes" },
  ]);
});
