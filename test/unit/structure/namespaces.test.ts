// Installations that share a cluster differ in their namespace only: they may share no topic, group, key or database.
import { expect, test } from "vitest";
import { keptTracksKeys, partitionKeys, replayKeys, trackHeaderKey } from "../../../schemas/redis-keys.ts";
import { groupName, type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { databaseOf } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig, namespaceEnv } from "../../../services/common/config.ts";

const PROCESSES = ["state-machine", "projector", "api", "replay", "dead-letters", "rebuild", "reconcile", "tracklog"];
/** Senders choose the ids of their tracks. */
const TRACK_IDS = ["t", "", "sm:{p0}:position", "api:track:t", "x:api:track:t", ":", "tracklog"];

/** Names that look like parts of tracklog's names, and combinations of a few characters. */
const WORDS = ["", "tracklog", "x", "x-y", "y", "sm", "api", "p0", ...PROCESSES, ...Object.keys(topics)];
const CHARACTERS = ["", "a", "A", "-", "_", "0", "__", "_0", "0_"];
const namespaces = [
  ...new Set([
    ...WORDS.flatMap((word) => [word, `tracklog_${word}`, `x-${word}`, `${word}-`, `${word}_0`]),
    ...CHARACTERS.flatMap((a) => CHARACTERS.flatMap((b) => CHARACTERS.map((c) => a + b + c))),
  ]),
];

const settingsOf = (namespace: string) =>
  loadConfig(clickhouseEnv, { CLICKHOUSE_URL: "http://h:1", TRACKLOG_NAMESPACE: namespace });

/** Everything a namespace has; a group also as the beginning of the names of further ones. */
const namesOf = (namespace: string): readonly string[] => [
  ...(Object.keys(topics) as Topic[]).map((topic) => `topic ${topicName(namespace, topic)}`),
  ...PROCESSES.map((process) => `group ${groupName(namespace, process)}`),
  ...[0, 11].flatMap((partition) => Object.values(partitionKeys(namespace, partition)).map((key) => `key ${key}`)),
  ...TRACK_IDS.map((trackId) => `key ${trackHeaderKey(namespace, trackId)}`),
  ...TRACK_IDS.map((trackId) => `key ${keptTracksKeys(namespace).track("own", trackId)}`),
  `key ${keptTracksKeys(namespace).index}`,
  ...TRACK_IDS.map((id) => `key ${replayKeys(namespace).session}${id}`),
  `key ${replayKeys(namespace).open}`,
  `key ${replayKeys(namespace).changed}`,
  `key ${replayKeys(namespace).ended("t")}`,
  `database ${databaseOf(settingsOf(namespace))}`,
];

test("no two namespaces share a topic, a group, a Redis key or a database", () => {
  const owners = new Map<string, string>();
  const shared: string[] = [];
  for (const namespace of namespaces) {
    for (const name of namesOf(namespace)) {
      const owner = owners.get(name) ?? namespace;
      owners.set(name, owner);
      if (owner !== namespace) shared.push(`${name}: "${owner}" and "${namespace}"`);
    }
  }

  expect(namespaces.length).toBeGreaterThan(500);
  expect(shared).toEqual([]);
});

test("no group of one namespace is the beginning of a group of another", () => {
  const groups = namespaces.flatMap((owner) =>
    PROCESSES.map((each) => ({ owner, name: `${groupName(owner, each)}.` })),
  );
  groups.sort((a, b) => (a.name < b.name ? -1 : 1));

  const begun: string[] = [];
  for (const [index, { owner, name }] of groups.entries()) {
    // Sorted, so that names with a common beginning are neighbours.
    for (let next = index + 1; groups[next]?.name.startsWith(name); next++) {
      if (groups[next]?.owner !== owner) begun.push(`${name} of "${owner}", ${groups[next]?.name}`);
    }
  }
  expect(begun).toEqual([]);
});

test.each(["a.b", "a:b", "{a}", "a b", "ä", "a/b"])("%s is no namespace", (namespace) => {
  expect(() => loadConfig(namespaceEnv, { TRACKLOG_NAMESPACE: namespace })).toThrow("TRACKLOG_NAMESPACE wants");
});

test("the database is the one that was asked for, else the namespace's, under a name that ClickHouse takes", () => {
  const asked = { CLICKHOUSE_URL: "http://h:1", TRACKLOG_NAMESPACE: "n", CLICKHOUSE_DATABASE: "mine" };

  expect(databaseOf(loadConfig(clickhouseEnv, asked))).toBe("mine");
  expect(databaseOf(settingsOf(""))).toBe("tracklog");
  for (const namespace of namespaces) expect(databaseOf(settingsOf(namespace))).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
});
