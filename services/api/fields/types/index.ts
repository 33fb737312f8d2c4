import { DataSource } from "./data-source.ts";
import { Detection } from "./detection.ts";
import { Track } from "./track.ts";
import { Zone } from "./zone.ts";
import { ZoneIntersection } from "./zone-intersection.ts";

/** Resolvers of the types whose fields are not simply members of what the queries answer with. */
export const types = { DataSource, Detection, Track, Zone, ZoneIntersection };
