import type { Sensor } from "../../../../projections/catalog/sensor.ts";
import type { MeasurementRecorded } from "../../../../schemas/events.ts";
import { measurementId } from "../../../../schemas/identity.ts";
import type { ApiContext } from "../../graphql/context.ts";

export const Measurement = {
  id: ({ sensorId, timestamp, value }: MeasurementRecorded) => measurementId(sensorId, timestamp, value),
  /** A producer that writes to the log may know of a sensor before the catalog does. */
  sensor: ({ sensorId: id, timestamp }: MeasurementRecorded, _args: unknown, { catalog }: ApiContext): Sensor =>
    catalog.get("sensor", id) ?? {
      ...{ id, name: id, description: null, type: "TEXT", position: null, address: null, metadata: null },
      ...{ createdAt: timestamp, updatedAt: timestamp },
    },
};
