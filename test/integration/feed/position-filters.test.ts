import { expect, test } from "vitest";
import { at, created, detection, recorded, updated } from "../../support/scenes/feed-events.ts";
import { createInstallation, type Instance } from "./installation.ts";
import { follow, type Subscription } from "./subscription.ts";

interface Tracks {
  readonly tracks: { readonly state: string; readonly message: { readonly id: string } };
}

const installation = await createInstallation();
const QUERY = "subscription ($filter: FilterTrackMessageInput) { tracks(filter: $filter) { state message { id } } }";
const here = { position: { longitude: 10, latitude: 50, altitude: null, crs: null } };
const NEAR = { position: { near: { point: { coordinates: [10, 50] }, radius: 200 } } };
const NOWHERE = { position: { attributeExists: false } };

const ask = (api: Instance, filter: object, cursor?: string) =>
  follow<Tracks>({ ...api, query: QUERY, variables: { filter }, cursor });

const reported = (subscription: Subscription<Tracks>) =>
  subscription.received().map(({ data: { tracks } }) => `${tracks.state} ${tracks.message.id}`);

test("a track that was once where the filter says is reported until its END, also one that was nowhere else", async () => {
  const api = await installation.startApi();
  const near = await ask(api, NEAR);
  const elsewhere = await ask(api, { not: NEAR });
  const nowhere = await ask(api, NOWHERE);

  await installation.record(
    created("visitor", { detections: [detection("visitor", 1, here)] }),
    created("ghost"),
    recorded("cam", detection("visitor", 2), detection("ghost", 2)),
    updated("visitor", { endTime: at(3) }),
    updated("ghost", { endTime: at(3) }),
  );

  await Promise.all([near.atLeast(3), elsewhere.atLeast(3), nowhere.atLeast(3)]);
  expect(reported(near)).toEqual(["START visitor", "UPDATE visitor", "END visitor"]);
  expect(reported(elsewhere)).toEqual(["START ghost", "UPDATE ghost", "END ghost"]);
  expect(reported(nowhere)).toEqual(["START ghost", "UPDATE ghost", "END ghost"]);
});

test("where a track was before this instance listened is known from the history, whoever asks for it", async () => {
  await installation.recordAndProject(
    created("old", { detections: [detection("old", 1, here)] }),
    created("old ghost", { detections: [detection("old ghost", 1)] }),
  );
  const api = await installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0" });
  const near = await ask(api, NEAR);
  const nowhere = await ask(api, NOWHERE);

  await installation.recordAndProject(updated("old", { endTime: at(3) }), updated("old ghost", { endTime: at(3) }));

  await Promise.all([near.atLeast(1), nowhere.atLeast(1)]);
  expect(reported(near)).toEqual(["END old"]);
  expect(reported(nowhere)).toEqual(["END old ghost"]);
});

test.for([
  ["memory", {}],
  ["the log", { API_FEED_KEPT_MESSAGES: "1" }],
] as const)("a client that resumes from %s is given what it would have been given", async ([, settings]) => {
  const first = await installation.startApi();
  const live = await ask(first, NEAR);
  const track = crypto.randomUUID();
  await installation.recordAndProject(created(track, { detections: [detection(track, 1, here)] }));
  const [start] = await live.atLeast(1);

  // In memory before any subscriber of this instance asked for positions of tracks.
  const second = await installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0", ...settings });
  const other = await ask(second, { id: { eq: "last" } });
  await installation.recordAndProject(
    updated(track, { tag: "car" }),
    updated(track, { endTime: at(3) }),
    created("last"),
  );
  await other.atLeast(1);
  const resumed = await ask(second, NEAR, start?.extensions.cursor);

  await Promise.all([resumed.atLeast(2), live.atLeast(3)]);
  expect(reported(resumed)).toEqual([`UPDATE ${track}`, `END ${track}`]);
});
