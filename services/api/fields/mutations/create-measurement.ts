import { checkLength } from "../../../../schemas/check-texts.ts";
import { checkStoredTime } from "../../../../schemas/checks.ts";
import { badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { MeasurementRecorded } from "../../../../schemas/events.ts";
import type { MeasurementInput, SensorType } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { checkInstant, doorBounds } from "../../write/time.ts";

const PATH = ["measurement"];

/** A client may repeat it: the measurement's identity is all of it. */
export const createMeasurement =
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
    refuse(checkLength(value), [...PATH, "value"]);
    const wanted = whatItLacks[sensor.type](value);
    if (wanted !== undefined) throw badInput(`the sensor measures ${wanted}`, [...PATH, "value"]);
    const event = { sensorId, timestamp, value };
    await context.write([{ type: "MeasurementRecorded", event }]);
    return event;
  };

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** What a sensor measures, for a value that is nothing of the kind. */
const whatItLacks: Readonly<Record<SensorType, (value: string) => string | undefined>> = {
  NUMBER: (value) => (DECIMAL.test(value) && Number.isFinite(Number(value)) ? undefined : "decimal numbers"),
  BOOLEAN: (value) => (value === "true" || value === "false" ? undefined : "'true' and 'false'"),
  TEXT: () => undefined,
};
