// A separate log on the shared broker, a separate database, and functions that fill and read both.

import type { ClickHouseClient } from "@clickhouse/client";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import type { CameraLogEvent, DeadLetter, ZoneIntersectionChanged } from "../../../schemas/events.ts";
import { projectedTopics } from "../../../schemas/topics.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import type { OutMessage } from "../../../services/common/kafka/write/publisher.ts";
import { projectorEnv } from "../../../services/projector/config.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { type ServiceProcess, spawnService } from "../../support/running/processes.ts";
import { differencesOf, inOrder, readEverything } from "../history/everything.ts";
import { type LogEntry, type World, worldOf } from "../history/world.ts";

const PARTITIONS = 4;
const CATCH_UP_MS = 60_000;

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** One for all tests of a file: the log and the tables hold what earlier tests recorded. */
export function shareInstallation(): () => Installation {
  let installation: Installation | undefined;
  beforeAll(async () => {
    installation = await openInstallation();
  });
  afterAll(() => installation?.remove());
  return () => {
    if (installation === undefined) throw new Error("the installation is made before the first test");
    return installation;
  };
}

/** For one test. */
export async function createInstallation(): Promise<Installation> {
  const installation = await openInstallation();
  onTestFinished(installation.remove);
  return installation;
}

async function openInstallation() {
  const installation = await provideInstallation("projector", {
    LOG_LEVEL: "warn",
    PROJECTOR_FLUSH_MS: "20",
    CAMERA_PARTITIONS: String(PARTITIONS),
  });
  const { namespace, variables, log, kafka, admin, codec, topic, read } = installation;
  const config = installation.config(projectorEnv);
  const client = await installation.openHistory();
  const publisher = await installation.openPublisher();
  const spawned: ServiceProcess[] = [];

  const toMessage = (event: CameraLogEvent): OutMessage => ({
    topic: topic("camera-log"),
    key: sourceOf(event),
    value: codec.encode(event.type, event.event),
  });
  const toChange = (change: ZoneIntersectionChanged): OutMessage => ({
    topic: topic("zone-intersections"),
    key: change.dataSourceId,
    value: codec.encode("ZoneIntersectionChanged", change),
  });

  return {
    namespace,
    config,
    variables,
    log,
    kafka,
    admin,
    codec,
    client,
    topic,
    publish: (messages: readonly OutMessage[]) => publisher.publish(messages),

    /**
     * Writes the world's events and changes of intersections into the log. No other world in the log may have the
     * same `tracks`.
     */
    async record({ log: entries, changes }: Pick<World, "log" | "changes">, tracks = "track"): Promise<void> {
      await publisher.publish(entries.map(({ message }) => toMessage(renamed(message, tracks))));
      await publisher.publish(changes.map(({ event }) => toChange(renamed(event, tracks))));
    },

    async remove(): Promise<void> {
      await Promise.all(spawned.map((each) => each.kill()));
      await installation.remove();
    },

    /** The world as the log has it now, with the broker's positions and times. */
    async recorded(): Promise<World> {
      const entries: LogEntry[] = [];
      for (const { partition, message } of await read("camera-log")) {
        const decoded = codec.decode(message.value);
        if (!decoded.ok || !("trackId" in decoded.event || "detections" in decoded.event)) continue;
        const at = { partition, offset: Number(message.offset), recordedAt: Number(message.timestamp) };
        entries.push({ ...at, message: decoded as CameraLogEvent });
      }
      const changes = (await read("zone-intersections")).flatMap(({ message }) => {
        const decoded = codec.decode(message.value);
        if (!decoded.ok || decoded.type !== "ZoneIntersectionChanged") return [];
        return [{ event: decoded.event, recordedAt: Number(message.timestamp) }];
      });
      return worldOf(entries, changes);
    },

    async deadLetters(): Promise<DeadLetter[]> {
      return (await read("dead-letters")).flatMap(({ message }) => {
        const decoded = codec.decode(message.value);
        return decoded.ok && decoded.type === "DeadLetter" ? [decoded.event] : [];
      });
    },

    /** Waits until the stored positions have reached the ends of the topics. */
    async caughtUp(): Promise<void> {
      for (const name of projectedTopics) {
        const ends = (await offsetRanges(admin, topic(name))).filter(({ high }) => high > 0);
        if (ends.length === 0) continue;
        await vi.waitFor(
          async () => {
            const positions = await projectedUpTo(client, topic(name));
            for (const { partition, high } of ends) expect(positions.get(partition)).toBe(high);
          },
          { timeout: CATCH_UP_MS, interval: 50 },
        );
      }
    },

    /** A projector in a separate process, as in production. */
    async spawnProjector(): Promise<ServiceProcess> {
      const projector = await spawnService("projector", variables);
      spawned.push(projector);
      return projector;
    },
  };
}

/** The answers of the tables agree with the log, and no position lies beyond it. */
export async function expectProjected(installation: Installation, client?: ClickHouseClient): Promise<void> {
  const answers = await readEverything(client ?? installation.client);
  const recorded = await installation.recorded();
  expect(differencesOf(answers, recorded)).toEqual(differencesOf(recorded, recorded));
  expect(inOrder(answers)).toEqual(inOrder(recorded));
}

/** With tracks of another name, and so with other intersections: their ids begin with the track. */
const renamed = <T>(event: T, tracks: string): T =>
  JSON.parse(JSON.stringify(event).replaceAll('"track-', `"${tracks}-`));

function sourceOf({ event }: CameraLogEvent): string {
  if ("zone" in event) return event.zone.dataSourceId;
  return "dataSourceId" in event ? event.dataSourceId : "";
}
