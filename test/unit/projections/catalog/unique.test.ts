// A data source has one device: of two that say otherwise, the first in the log counts, for every reader.
import { expect, test } from "vitest";
import { type Catalog, createCatalog } from "../../../../projections/catalog/catalog.ts";
import { devicesFeed } from "../../../../projections/feed/devices.ts";
import type { CatalogEvent } from "../../../../schemas/events.ts";
import { createRandom } from "../../../../services/cli/demo/scene/random.ts";

const missing = { siteId: null, pointOfInterestId: null, transcoderId: null, externalId: null, address: null };

const created = (id: string, dataSourceId: string): CatalogEvent => {
  const set = { ...missing, name: id, enabled: true, dataSourceId, position: null };
  return { type: "DeviceChanged", event: { id, change: "created", at: 0, set, cleared: [] } };
};

const changed = (id: string, change: "updated" | "deleted", dataSourceId: string | null = null): CatalogEvent => {
  const set = { ...missing, name: null, enabled: null, dataSourceId, position: null };
  return { type: "DeviceChanged", event: { id, change, at: 1, set, cleared: [] } };
};

const shown = (catalog: Catalog) =>
  [...catalog.all("device")].map(({ id, dataSourceId }) => `${id}@${dataSourceId}`).sort();

test("the second device of a data source is refused, and its writer learns why", () => {
  const catalog = createCatalog();
  catalog.apply(created("a", "yard"), 0);

  expect(catalog.apply(created("b", "yard"), 1)).toBe("set.dataSourceId: that of another one, a");
  expect(catalog.refusal(1)).toEqual({ reason: "set.dataSourceId: that of another one", owner: "a" });
  expect(catalog.refusal(0)).toBeUndefined();
  expect(catalog.apply(changed("b", "updated"), 2)).toBeUndefined();
  expect(shown(catalog)).toEqual(["a@yard"]);
});

test("a repeated creation is none, and a data source that was left is free", () => {
  const catalog = createCatalog();
  catalog.apply(created("a", "yard"), 0);
  expect(catalog.apply(created("a", "yard"), 1)).toBeUndefined();
  catalog.apply(created("b", "gate"), 2);
  expect(catalog.apply(changed("b", "updated", "yard"), 3)).toBe("set.dataSourceId: that of another one, a");

  catalog.apply(changed("a", "deleted"), 4);
  expect(catalog.apply(changed("b", "updated", "yard"), 5)).toBeUndefined();
  expect(catalog.apply(created("c", "gate"), 6)).toBeUndefined();
  expect(shown(catalog)).toEqual(["b@yard", "c@gate"]);
});

test("an own creation shows until the topic brings an earlier one", () => {
  const catalog = createCatalog();
  catalog.applyOwn(created("b", "yard"), 1);
  expect(shown(catalog)).toEqual(["b@yard"]);

  catalog.apply(created("a", "yard"), 0);
  catalog.apply(created("b", "yard"), 1);
  expect(shown(catalog)).toEqual(["a@yard"]);
  expect(catalog.referrers("dataSource", "yard")).toEqual(["a"]);
});

const anyEvent = ({ below, chance }: ReturnType<typeof createRandom>): CatalogEvent => {
  const [id, dataSourceId] = [`d${below(5)}`, `s${below(5)}`];
  if (chance(0.4)) return created(id, dataSourceId);
  return chance(0.5) ? changed(id, "updated", chance(0.5) ? dataSourceId : null) : changed(id, "deleted");
};

/** The same by brute force. */
function fold(log: readonly CatalogEvent[]): string[] {
  const known = new Map<string, string>();
  for (const { event } of log) {
    const { id, change } = event;
    const wanted = "dataSourceId" in event.set ? event.set.dataSourceId : null;
    const isTaken = [...known].some(([other, source]) => other !== id && source === wanted);
    if (change === "deleted") known.delete(id);
    else if (wanted !== null && !isTaken && known.has(id) === (change === "updated")) known.set(id, wanted);
  }
  return [...known].map(([id, source]) => `${id}@${source}`).sort();
}

test("every reader ends with the same devices, whatever it has written itself", () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    const log = Array.from({ length: 30 }, () => anyEvent(random));
    const [reader, writer] = [createCatalog(), createCatalog()];
    for (const [offset, event] of log.entries()) {
      if (random.chance(0.3))
        writer.applyOwn(log[offset + 1] ?? event, log[offset + 1] === undefined ? offset : offset + 1);
      reader.apply(event, offset);
      writer.apply(event, offset);
    }

    expect(shown(reader), `seed ${seed}`).toEqual(fold(log));
    expect(shown(writer), `seed ${seed}`).toEqual(fold(log));
  }
});

test("subscribers hear nothing of a device that is refused", () => {
  const { fold: take } = devicesFeed.createFold({ codec: { decode: () => undefined } } as never);
  const receive = ({ event }: CatalogEvent, offset: number) => take(event, { offset, recordedAt: 0 }).length;

  expect(receive(created("a", "yard"), 0)).toBe(1);
  expect(receive(created("b", "yard"), 1)).toBe(0);
  expect(receive(changed("b", "updated"), 2)).toBe(0);
  expect(receive(changed("a", "deleted"), 3)).toBe(0);
  expect(receive(created("b", "yard"), 4)).toBe(1);
});
