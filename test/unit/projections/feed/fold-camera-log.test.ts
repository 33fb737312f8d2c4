import { describe, expect, test } from "vitest";
import { type CameraLogMessage, foldCameraLog, tracksToFind } from "../../../../projections/feed/fold-camera-log.ts";
import { createTrackMemory, rememberTrack, type TrackMemory } from "../../../../projections/feed/track-memory.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { at, created, detection, expired, recorded, updated } from "../../../support/scenes/feed-events.ts";

const PLACE = { offset: 0, recordedAt: at(1_000) };

/** The messages for the events, as "kind: id detail"; the detail is a track's state or a detection's second. */
function fold(
  events: readonly CameraLogEvent[],
  memory: TrackMemory = createTrackMemory({ maxTracks: 100, maxPositions: 1_000 }),
): string[] {
  return events.flatMap((event, offset) => foldCameraLog(memory, event, { ...PLACE, offset })).map(inWords);
}

function inWords(message: CameraLogMessage): string {
  switch (message.kind) {
    case "tracks": {
      const { trackId, endTime } = message.track;
      return `${message.state} ${trackId}${endTime === null ? "" : ` until ${(endTime - at(0)) / 1_000}`}`;
    }
    case "detectionActivity":
      return `seen ${message.detection.trackId} ${(message.detection.timestamp - at(0)) / 1_000}`;
    default:
      return message satisfies never;
  }
}

const states = (events: readonly CameraLogEvent[], memory?: TrackMemory) =>
  fold(events, memory).filter((text) => !text.startsWith("seen"));

const stories: readonly [story: string, events: readonly CameraLogEvent[], reported: readonly string[]][] = [
  ["a creation", [created("t")], ["START t"]],
  ["a creation with an end", [created("t", { endTime: at(5) })], ["START t", "END t until 5"]],
  ["the same creation again", [created("t"), created("t")], ["START t"]],
  [
    "the same creation with an end again",
    [created("t", { endTime: at(5) }), created("t", { endTime: at(5) })],
    ["START t", "END t until 5"],
  ],
  [
    "a repeated creation that brings a detection",
    [created("t"), created("t", { detections: [detection("t", 1)] })],
    ["START t", "UPDATE t"],
  ],
  ["an update", [created("t"), updated("t", { tag: "car" })], ["START t", "UPDATE t"]],
  [
    "an update sent again",
    [created("t"), updated("t", { tag: "car" }), updated("t", { tag: "car" })],
    ["START t", "UPDATE t"],
  ],
  ["an update with an end", [created("t"), updated("t", { endTime: at(5) })], ["START t", "END t until 5"]],
  [
    "a second end",
    [created("t"), updated("t", { endTime: at(5) }), updated("t", { endTime: at(6) })],
    ["START t", "END t until 5", "UPDATE t until 6"],
  ],
  [
    "an end taken back and given anew",
    [
      created("t"),
      updated("t", { endTime: at(5) }),
      updated("t", { cleared: ["endTime"] }),
      updated("t", { endTime: at(5) }),
    ],
    ["START t", "END t until 5", "UPDATE t", "END t until 5"],
  ],
  [
    "a repeated creation after an end was taken back",
    [created("t", { endTime: at(5) }), updated("t", { cleared: ["endTime"] }), created("t", { endTime: at(5) })],
    ["START t", "END t until 5", "UPDATE t"],
  ],
  [
    "an expiry, once",
    [created("t"), recorded("cam", detection("t", 3)), expired("t", 3), expired("t", 3)],
    ["START t", "UPDATE t", "END t until 3"],
  ],
  [
    "an expiry after a newer detection",
    [created("t"), recorded("cam", detection("t", 3), detection("t", 4)), expired("t", 3)],
    ["START t", "UPDATE t"],
  ],
  [
    "an expiry that was concluded before an update with an end was read",
    [
      created("t", { detections: [detection("t", 3)] }),
      updated("t", { endTime: at(5) }),
      expired("t", 3, { readUpTo: 1 }),
    ],
    ["START t", "END t until 5"],
  ],
  [
    "an expiry that was concluded with the end in mind",
    [
      created("t"),
      updated("t", { endTime: at(2) }),
      recorded("cam", detection("t", 3)),
      expired("t", 3, { readUpTo: 3 }),
    ],
    ["START t", "END t until 2", "UPDATE t until 2", "UPDATE t until 3"],
  ],
  [
    "a detection after an expiry",
    [
      created("t", { detections: [detection("t", 3)] }),
      expired("t", 3),
      recorded("cam", detection("t", 4)),
      expired("t", 4),
    ],
    ["START t", "END t until 3", "UPDATE t", "END t until 4"],
  ],
  [
    "a detection after an end by the caller",
    [created("t", { endTime: at(3) }), recorded("cam", detection("t", 4))],
    ["START t", "END t until 3", "UPDATE t until 3"],
  ],
  ["an event about a zone", [zoneDeleted()], []],
];

test.for(stories)("%s", ([, events, reported]) => {
  expect(states(events)).toEqual(reported);
});

test("every detection is told once, wherever it stands and however often", () => {
  const events = [
    created("t", { detections: [detection("t", 1), detection("t", 1)] }),
    recorded("cam", detection("t", 3), detection("u", 1), detection("t", 2), detection("t", 3)),
    updated("t", { detections: [detection("t", 2), detection("t", 4)] }),
    recorded("cam", detection("t", 4)),
  ];

  expect(fold(events).filter((text) => text.startsWith("seen"))).toEqual([
    "seen t 1",
    "seen t 3",
    "seen u 1",
    "seen t 2",
    "seen t 4",
  ]);
});

test("a detection far out of order is taken for a repetition", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
  fold([created("t", { detections: Array.from({ length: 40 }, (_, i) => detection("t", i + 10)) })], memory);

  expect(fold([recorded("cam", detection("t", 5), detection("t", 20), detection("t", 60))], memory)).toEqual([
    "UPDATE t",
    "seen t 60",
  ]);
});

test("one UPDATE per track of an event, with all positions that the track has had", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
  const position = { longitude: 1, latitude: 2, altitude: null, crs: null };
  fold([created("a", { detections: [detection("a", 1, { position })] }), created("b")], memory);

  const event = recorded("cam", detection("a", 1, { position }), detection("b", 1, { position }), detection("a", 2));
  const reported = foldCameraLog(memory, event, PLACE).filter(({ kind }) => kind === "tracks");

  expect(reported).toMatchObject([
    { index: 0, state: "UPDATE", track: { trackId: "a" }, seen: { seen: { pairs: [1, 2] }, count: 1 } },
    { index: 1, state: "UPDATE", track: { trackId: "b" }, seen: { seen: { pairs: [1, 2] }, count: 1 } },
  ]);
});

test("the place of a message within its event does not depend on what is remembered", () => {
  const event = recorded("cam", detection("a", 1), detection("b", 1), detection("a", 2), detection("c", 1));
  const remembering = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
  foldCameraLog(remembering, recorded("cam", detection("a", 1), detection("a", 2)), PLACE);

  const placeOf = (memory: TrackMemory) =>
    new Map(foldCameraLog(memory, event, PLACE).map((each) => [inWords(each), each.index]));
  const all = placeOf(createTrackMemory({ maxTracks: 10, maxPositions: 1_000 }));
  const some = placeOf(remembering);

  expect([...some.keys()]).toEqual(["seen b 1", "UPDATE b", "UPDATE c", "seen c 1"]);
  for (const [name, index] of some) expect(all.get(name)).toBe(index);
  const activity = foldCameraLog(createTrackMemory({ maxTracks: 10, maxPositions: 1_000 }), event, PLACE).filter(
    (each) => each.kind !== "tracks",
  );
  expect(activity.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

test("only tracks without a header are to be looked up, and created ones that the memory does not know", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
  fold([created("known")], memory);

  const events = [
    recorded("cam", detection("known", 1), detection("x", 1)),
    created("new"),
    undefined,
    updated("new"),
    expired("y", 1),
    ...["known", "x", "y", "new", "newer"].map((id) => created(id)),
  ];

  expect(tracksToFind(memory, events)).toEqual({
    headers: [
      { trackId: "x", dataSourceId: "cam" },
      { trackId: "y", dataSourceId: "cam" },
    ],
    created: [
      { trackId: "new", dataSourceId: "cam", at: 1 },
      { trackId: "newer", dataSourceId: "cam", at: 9 },
    ],
  });
});

test("a track that was looked up has its header, and its end is told when the log tells it", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
  const header = {
    trackId: "t",
    dataSourceId: "cam",
    startTime: at(0),
    modelId: null,
    properties: null,
    metadata: null,
  };
  rememberTrack(memory, { ...header, tag: "car", endTime: at(9) });

  expect(states([updated("t", { tag: "van" })], memory)).toEqual(["UPDATE t until 9"]);
  expect(states([recorded("cam", detection("t", 1))], memory)).toEqual(["UPDATE t"]);
  expect(states([updated("t", { endTime: at(9) })], memory)).toEqual(["END t until 9"]);
});

describe("a creation of a track that was there before the feed read the log", () => {
  const header = {
    trackId: "t",
    dataSourceId: "cam",
    startTime: at(0),
    modelId: "m",
    properties: null,
    metadata: null,
  };
  const again = created("t", { tag: "bus", startTime: at(7), detections: [detection("t", 8)] });

  function startOf(found: { readonly tag: string; readonly endTime: number | null }, creation = again) {
    const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });
    rememberTrack(memory, { ...header, ...found });
    return foldCameraLog(memory, creation, PLACE).filter(({ kind }) => kind === "tracks");
  }

  test("shows the header of the first creation, and neither a span nor that earlier positions are known", () => {
    const [start] = startOf({ tag: "car", endTime: null });

    expect(start).toMatchObject({ state: "START", track: { tag: "car", startTime: at(0), modelId: "m" } });
    expect(start?.track).not.toHaveProperty("firstDetectionAt");
    expect(start?.seen).toMatchObject({ seen: { before: undefined } });
  });

  test("shows the end that the track had", () => {
    const creation = created("t", { tag: "bus", endTime: at(9) });

    expect(startOf({ tag: "car", endTime: at(5) }, creation).map(inWords)).toEqual([
      "START t until 5",
      "END t until 5",
    ]);
    expect(startOf({ tag: "car", endTime: at(5) }, created("t")).map(inWords)).toEqual(["START t until 5"]);
    expect(startOf({ tag: "car", endTime: null }, creation).map(inWords)).toEqual(["START t", "END t until 9"]);
  });

  test("shows its own header when the track had detections only, and no span", () => {
    const [start] = startOf({ tag: "", endTime: null });

    expect(start).toMatchObject({ state: "START", track: { tag: "bus", startTime: at(7), modelId: null } });
    expect(start?.track).not.toHaveProperty("firstDetectionAt");
    expect(start?.seen).toMatchObject({ seen: { before: undefined } });
  });
});

test("a track that nobody knew before its creation has no earlier positions, and shows its span", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });

  const [start] = foldCameraLog(memory, created("t", { detections: [detection("t", 8)] }), PLACE).filter(
    ({ kind }) => kind === "tracks",
  );

  expect(start).toMatchObject({
    track: { firstDetectionAt: at(8), lastDetectionAt: at(8) },
    seen: { seen: { before: [] } },
  });
});

test("a header that comes after its track's detections starts the track and keeps them", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });

  expect(fold([recorded("cam", detection("t", 1))], memory)).toEqual(["seen t 1", "UPDATE t"]);
  expect(fold([created("t", { detections: [detection("t", 1)] })], memory)).toEqual(["START t"]);
});

test("cameras that number their tracks alike have the messages that each has alone", () => {
  const first = [created("1", { tag: "person" }), recorded("cam", detection("1", 1)), expired("1", 1)];
  const second = [created("1", { tag: "car" }), recorded("cam", detection("1", 1)), updated("1", { tag: "van" })];
  const ofOther = second.map(
    (message) => ({ ...message, event: { ...message.event, dataSourceId: "other" } }) as CameraLogEvent,
  );
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 1_000 });

  const reported = first
    .flatMap((message, i) => [message, ofOther[i] ?? message])
    .map((message) => fold([message], memory));

  expect(reported.filter((_, i) => i % 2 === 0).flat()).toEqual(fold(first));
  expect(reported.filter((_, i) => i % 2 === 1).flat()).toEqual(fold(second));
  expect(tracksToFind(memory, [updated("1"), recorded("third", detection("1", 1))]).headers).toEqual([
    { trackId: "1", dataSourceId: "third" },
  ]);
});

test("the tracks not heard of for longest are forgotten", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 1_000 });
  fold([created("a"), created("b"), recorded("cam", detection("a", 1)), created("c")], memory);

  expect(["a", "b", "c"].filter((id) => memory.peek({ trackId: id, dataSourceId: "cam" }) !== undefined)).toEqual([
    "a",
    "c",
  ]);
});

function zoneDeleted(): CameraLogEvent {
  return {
    type: "ZoneDeleted",
    event: { zoneId: "z", dataSourceId: "cam", deletedAt: at(0), movedTo: null, ifUpdatedAt: null },
  };
}
