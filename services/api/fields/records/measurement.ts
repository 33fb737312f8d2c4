import type { Sensor } from "../../../../projections/catalog/sensor.ts";
import { measurementHistory } from "../../../../projections/history/records/measurement.ts";
import { checkTextLength } from "../../../../schemas/check-texts.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { MeasurementInput, SensorType } from "../../../../schemas/graphql/inputs.ts";
import { measurementId } from "../../../../schemas/identity.ts";
import type { MeasurementRecorded } from "../../../../schemas/records/measurement-recorded.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { checkInstant, doorBounds } from "../../write/time.ts";
import { type RecordInApi, recordPages } from "./record-in-api.ts";

export const measurementInApi: RecordInApi = {
  queries: { measurements: recordPages(measurementHistory) },
  mutations: (deps) => ({ createMeasurement: createMeasurement(deps) }),
  types: {
    Measurement: {
      id: ({ sensorId, timestamp, value }: MeasurementRecorded) => measurementId(sensorId, timestamp, value),
      /**
       * Stands in for a sensor that the catalog does not have: a producer that writes to the log may use it earlier.
       */
      sensor: ({ sensorId: id, timestamp }: MeasurementRecorded, _args: unknown, { catalog }: ApiContext): Sensor =>
        catalog.get("sensor", id) ?? {
          id,
          name: id,
          description: null,
          type: "TEXT",
          position: null,
          address: null,
          metadata: null,
          createdAt: timestamp,
          updatedAt: timestamp,
        },
    },
  },
};

const PATH = ["measurement"];

/** A client may repeat the mutation: all members together are the measurement's identity. */
const createMeasurement =
  (deps: MutationDeps) =>
  async (
    _root: unknown,
    { measurement: { sensorId, timestamp, value } }: { measurement: MeasurementInput },
    context: ApiContext,
  ): Promise<MeasurementRecorded> => {
    const sensor = context.catalog.get("sensor", sensorId);
    if (sensor === undefined) throw notFound("sensor", sensorId, [...PATH, "sensorId"]);
    checkInstant(timestamp, doorBounds(deps), [...PATH, "timestamp"]);
    refuse(checkStoredTime(timestamp), [...PATH, "timestamp"]);
    refuse(checkTextLength(value), [...PATH, "value"]);
    const wanted = whatItLacks[sensor.type](value);
    if (wanted !== undefined) throw badInput(`the sensor measures ${wanted}`, [...PATH, "value"]);
    const event = { sensorId, timestamp, value };
    await context.write([{ type: "MeasurementRecorded", event }]);
    return event;
  };

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Checks of a value by the type of its sensor. Each returns the accepted form of values, or undefined for a valid one.
 */
const whatItLacks: Readonly<Record<SensorType, (value: string) => string | undefined>> = {
  NUMBER: (value) => (DECIMAL.test(value) && Number.isFinite(Number(value)) ? undefined : "decimal numbers"),
  BOOLEAN: (value) => (value === "true" || value === "false" ? undefined : "'true' and 'false'"),
  TEXT: () => undefined,
};
