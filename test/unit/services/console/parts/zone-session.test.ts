import { expect, test } from "vitest";
import { ApiError } from "../../../../../services/console/data/errors.ts";
import type { ZoneRecord } from "../../../../../services/console/data/zone-record.ts";
import { ZoneSession } from "../../../../../services/console/parts/zone-session.ts";
import { isolated } from "../../../../../services/console/picture/isolated.ts";

const zoneAt = (updatedAt: string, name = "Door"): ZoneRecord => ({
  ...{ id: "z", name, active: true, updatedAt },
  polygon: { crs: null, coordinates: [] },
});
const FIRST = "2026-11-24T14:00:00.000Z";
const SECOND = "2026-11-24T14:00:01.000Z";

/** A session for the zone, and a server that holds it. */
function createSession(held: ZoneRecord) {
  const server = { zone: held as ZoneRecord | null, beforeDeletion: () => {} };
  const ended: string[] = [];
  const ask = async (document: string, { ifUpdatedAt }: { ifUpdatedAt?: string }): Promise<unknown> => {
    if (document.includes("deleteZone")) {
      server.beforeDeletion();
      if (server.zone?.updatedAt !== ifUpdatedAt) throw new ApiError("CONFLICT", "changed since then");
      server.zone = null;
    }
    return { zone: server.zone };
  };
  const requests = { ask: ask as never };
  const session = new ZoneSession(held, "Zone 2", {
    ...{ requests, dataSourceId: "west" },
    onChange: () => {},
    onEnd: (words) => ended.push(words),
  });
  return { session, server, ended };
}

test("a zone that nobody has changed is deleted after one question", async () => {
  const { session, server, ended } = createSession(zoneAt(FIRST));
  session.ask("delete");
  await session.remove();

  expect(server.zone).toBeNull();
  expect(ended).toEqual([`Zone “${isolated("Door")}” is deleted.`]);
});

test("a change that is newer than the question is shown, and asked about, before it is deleted", async () => {
  const { session, server, ended } = createSession(zoneAt(FIRST));
  session.ask("delete");
  server.zone = zoneAt(SECOND, "Gate");
  await session.remove();

  expect(server.zone).not.toBeNull();
  expect([session.question, session.name]).toEqual(["delete changed", "Gate"]);
  expect(ended).toEqual([]);
  await session.remove();
  expect(server.zone).toBeNull();
  expect(ended).toHaveLength(1);
});

test("a change that came while the question was open is asked about, too", async () => {
  const { session, server } = createSession(zoneAt(FIRST));
  session.ask("delete");
  server.zone = zoneAt(SECOND, "Gate");
  session.noticed(server.zone);
  await session.remove();

  expect(session.question).toBe("delete changed");
  expect(server.zone).not.toBeNull();
});

test("a change between the last reading and the deletion is shown, and asked about", async () => {
  const { session, server, ended } = createSession(zoneAt(FIRST));
  session.ask("delete");
  server.beforeDeletion = () => {
    server.zone = zoneAt(SECOND, "Gate");
  };
  await session.remove();

  expect([session.question, session.name, server.zone?.name]).toEqual(["delete changed", "Gate", "Gate"]);
  expect([ended, session.problem]).toEqual([[], undefined]);
  await session.remove();
  expect(server.zone).toBeNull();
  expect(ended).toHaveLength(1);
});

test("a zone that somebody else has deleted is deleted", async () => {
  const { session, server, ended } = createSession(zoneAt(FIRST));
  session.ask("delete");
  server.zone = null;
  await session.remove();

  expect(ended).toEqual([`Zone “${isolated("Door")}” is deleted.`]);
});
