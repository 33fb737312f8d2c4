import { long, record } from "../avro.ts";

/**
 * In every partition: from here on, the geofences are those of the catalog up to this offset. An event with a lower offset than
 * that of an earlier event changes nothing.
 */
export interface GeofencesAdvanced {
  readonly upTo: number;
}

export const geofencesAdvanced = record<GeofencesAdvanced>("GeofencesAdvanced", { upTo: long });
