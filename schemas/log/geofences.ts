import { long, record } from "../avro.ts";

/**
 * Written to every partition of the camera-log. From this event on, the fold uses the geofences as of the catalog
 * offset `upTo`. An event with a lower offset than an earlier one changes nothing.
 */
export interface GeofencesAdvanced {
  readonly upTo: number;
}

export const geofencesAdvanced = record<GeofencesAdvanced>("GeofencesAdvanced", { upTo: long });
