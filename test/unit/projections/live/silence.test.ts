import { expect, test } from "vitest";
import { hasSilent } from "../../../../projections/live/partition.ts";
import { createCamera, expired, recorded, seen, settings, T0 } from "./camera.ts";

const TTL = settings.trackTtlMs;

test("a camera is silent once nothing of it was recorded for the time to live, until its tracks were asked for", () => {
  const camera = createCamera();
  camera.fold(recorded(seen(0, 50)));
  const asks = (wall: number) => hasSilent(camera.state, T0 + wall, settings);

  expect(asks(TTL - 1)).toBe(false);
  expect(asks(TTL)).toBe(true);
  camera.due(TTL);

  expect(asks(TTL)).toBe(false);
});

test("a camera without a track that could end is not silent", () => {
  const camera = createCamera();
  camera.fold(recorded(seen(0, 50)));

  camera.fold(expired(0));

  expect(hasSilent(camera.state, T0 + 10 * TTL, settings)).toBe(false);
});

test("a held detection of a camera that is silent waits for the end of its track", () => {
  const reordered = { ...settings, reorderMs: 2_000 };
  const camera = createCamera(reordered);
  camera.fold(recorded(seen(0, 50)));

  expect(hasSilent(camera.state, T0 + TTL, reordered)).toBe(true);
});

test("a silent track ends although the one before it in the log was recorded by a clock that was ahead", () => {
  const camera = createCamera();
  camera.setBrokerTime(3_600_000);
  camera.fold(recorded(seen(0, 50, { trackId: "ahead" })));
  camera.setBrokerTime(1_000);
  camera.fold(recorded(seen(1_000, 50, { trackId: "silent" })));
  camera.wait(TTL);
  camera.fold(recorded(seen(1_000 + TTL, 50, { trackId: "seen" })));

  expect(camera.due(1_000 + TTL)).toEqual(["silent@1"]);
  expect(camera.due(2_000 + 2 * TTL)).toEqual([`seen@${1 + TTL / 1_000}`]);
});
