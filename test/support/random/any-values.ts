// The values of random objects and random filters: few, so that filters match.
import type { ChronicleValidation } from "../../../schemas/chronicles/fields.ts";
import type { IntersectionMessageState } from "../../../schemas/events.ts";
import type { DeviceMessageState, SensorType } from "../../../schemas/graphql/inputs.ts";
import { pick, type Random } from "../../integration/history/world.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");

export const any = {
  sources: ["ds-a", "ds-b", "ds-c", "unknown"],
  sourceTypes: ["VIDEO_DEVICE", "FOLDER", "x"],
  labels: ["north", "south", ""],
  sites: ["site-a", "site-b"],
  points: ["point-a", "point-b"],
  sensors: ["sensor-a", "sensor-b", "sensor-c"],
  sensorTypes: ["NUMBER", "BOOLEAN", "TEXT"] satisfies SensorType[],
  zones: ["zone-1", "zone-2", "zone-3"],
  geofences: ["fence-1", "fence-2", "fence-3"],
  ids: Array.from({ length: 30 }, (_, i) => `t${i}`),
  words: [
    "person",
    "Person",
    "car",
    "50%_off",
    "it's",
    "Ärger",
    "ärger",
    "Straße",
    "ΣΟΦΟΣ",
    "Σοφός",
    "İ",
    "i",
    "😀",
    "",
  ],
  /** Patterns for `like`. */
  parts: ["PER", "a", "%", "_", "'", "", "ä", "SS", "σ", "Σ", "i", "İ", "\\"],
  types: ["plate", "color", "Color"],
  states: ["START", "UPDATE", "END"] satisfies IntersectionMessageState[],
  deviceStates: ["CREATE", "UPDATE", "HEARTBEAT"] satisfies DeviceMessageState[],
  judgements: ["VALID", "INVALID"] satisfies ChronicleValidation["status"][],
  time: (random: Random): number => START + Math.floor(random() * 100) * 100,
  /** On a grid whose distances from the corners of filters are never within a thousandth of a radius. */
  place: (random: Random): number => Math.floor(random() * 10) / 100,
  radius: (random: Random): number => pick(random, [0, 400, 1_500, 3_000, 5_100, 20_000]),
} as const;

export const chance = (random: Random, share: number): boolean => random() < share;
