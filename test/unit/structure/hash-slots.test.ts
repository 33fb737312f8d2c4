// A Redis Cluster refuses a script, a transaction or a pipeline whose keys are in several hash slots.
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import {
  askedChannel,
  chronicleMemoryKey,
  deliveryKeys,
  eventStateKeys,
  keptTracksKeys,
  partitionKeys,
  replayKeys,
  stagedKeys,
  subscriptionLeaseKey,
  trackHeaderKey,
} from "../../../schemas/redis-keys.ts";
import { isList } from "../../../services/common/redis/compose-script.ts";
import { hashSlotOf } from "../../../services/common/redis/hash-slot.ts";
import { readScripts } from "../../structure/lua.ts";
import { ROOT, readText } from "../../structure/repository.ts";

type Keys = Readonly<Record<string, string>>;

/** Callers choose such ids; the braces must not decide the hash slot of a key with braces of its own. */
const IDS = ["id", "{other}", "}{", ":", ""] as const;

/** The keys of the scripts in a folder, by the names in their heads. Callers choose the id. */
const FOLDERS: Readonly<Record<string, (namespace: string, id: string) => Keys>> = {
  "services/api/write": (namespace, id) => ({ header: trackHeaderKey(namespace, id) }),
  "services/common/redis": (namespace, id) => ({ lease: subscriptionLeaseKey(namespace, id) }),
  "services/replay/scripts": sessionKeys,
  "services/state-api/deliveries/scripts": queueKeys,
  "services/state-api/detections": (namespace, id) => {
    const { track, index } = keptTracksKeys(namespace);
    return { track: track("own", id), otherTrack: track(id, "t"), index };
  },
  "services/state-api/events/scripts": (namespace, id) => {
    const { event, scope, marker, due, tracks, tokens } = eventStateKeys(namespace);
    // take-due.lua is given one of the two sets.
    return { event: event(id), eventPrefix: event(""), scope: scope(id), marker, due, tracks, tokens, set: due };
  },
  // A Cluster gets one partition at a time.
  "services/state-api/live": (namespace) => {
    const { tracks, past } = partitionKeys(namespace, 7);
    return { "partitions...": tracks, past };
  },
  "services/state-api/replay/scripts": sessionKeys,
  "services/state-machine/store/scripts": (namespace) => {
    const staged = stagedKeys(namespace, 7, "attempt");
    return {
      ...partitionKeys(namespace, 7),
      stagedTracks: staged.tracks,
      stagedSources: staged.sources,
      stagedZones: staged.zones,
      stagedPast: staged.past,
    };
  },
  "services/webhooks/queue/scripts": queueKeys,
};

function sessionKeys(namespace: string, id: string): Keys {
  const { open, session, ended, signals, shown } = replayKeys(namespace);
  const ofToken = { ended: ended(id), shown: shown + id };
  return {
    open,
    session: session + id,
    sessionPrefix: session,
    signals: signals + id,
    signalsPrefix: signals,
    ...ofToken,
  };
}

/** The scripts make most keys themselves, from `base`. */
function queueKeys(namespace: string, id: string): Keys {
  const { base, of, ...keys } = deliveryKeys(namespace, 7);
  return { ...keys, made: `${base}:made:${id}`, ...of(`1/${id}`) };
}

const scripts = readScripts();

test.each(scripts.map(({ path, keys }) => [path, keys] as const))("%s touches one hash slot", (path, keys) => {
  const keysOf = FOLDERS[dirname(path)];
  for (const namespace of ["", "n"]) {
    for (const id of IDS) {
      const known = keysOf?.(namespace, id) ?? {};

      expect(keys.filter((key) => known[key] === undefined)).toEqual([]);
      expect(new Set(Object.values(known).map(hashSlotOf)).size).toBe(1);
    }
  }
});

test("only a script that a Cluster calls for each partition has a list of keys", () => {
  expect(scripts.filter(({ keys }) => keys.some(isList)).map(({ path }) => path)).toEqual([
    "services/state-api/live/find-track.lua",
  ]);
});

/** Each sends all of its commands to one hash slot, or divides them with `commandGroups`. */
const SENDERS = {
  mget: ["services/common/redis/cluster.ts", "services/state-api/detections/kept-tracks.ts"],
  multi: ["services/state-api/events/track-sightings.ts"],
  pipeline: [
    "services/common/redis/replicated.ts",
    "services/state-api/detections/live-marks.ts",
    "services/state-machine/store/stage.ts",
  ],
};

test("every role may be on a Cluster: none connects to one server by itself", () => {
  const callers = globSync("services/**/*.ts", { cwd: ROOT }).filter((file) => /\bcreateRedis\(/.test(readText(file)));

  expect(callers.sort()).toEqual(
    ["client", "cluster", "key-connection"].map((name) => `services/common/redis/${name}.ts`),
  );
});

test.each(Object.entries(SENDERS))("no other file calls %s", (command, files) => {
  const callers = globSync("services/**/*.ts", { cwd: ROOT }).filter((file) =>
    new RegExp(`[\\s.](redis|client)\\s*\\.${command}\\(`).test(readText(file)),
  );

  expect(callers.sort()).toEqual(files);
});

test("no two databases have keys or channels that begin alike, so that a Cluster may have them in one", () => {
  const databases = [
    [partitionKeys("", 0).position, trackHeaderKey("", "t")],
    [eventStateKeys("").marker, deliveryKeys("", 0).base, subscriptionLeaseKey("", "s"), chronicleMemoryKey("", "c")],
    [keptTracksKeys("").index, keptTracksKeys("").track("own", "t")],
    [replayKeys("").open],
  ];
  const beginnings = databases.map((keys) => new Set(keys.map((key) => key.split(":", 2).join(":"))));

  expect(new Set(beginnings.flatMap((each) => [...each])).size).toBe(
    beginnings.reduce((sum, { size }) => sum + size, 0),
  );
  expect(askedChannel("").startsWith("wh:")).toBe(true);
});
