// Defines the metrics of a process. Prometheus reads them at /metrics on the operator's port. Every label has few
// values, and no caller of tracklog can make new ones.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const registry = new Registry();

/** Interval at which the event loop is watched. With prom-client's 10 ms an idle process wakes 100 times a second. */
const LOOP_WATCH_MS = 50;
/** Seconds; the upper bounds of histograms of durations. */
const DURATIONS_S = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Upper bounds of histograms of numbers: messages, rows, bytes. */
const SIZES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/** The version of the text format, as Prometheus expects it in the header. */
export const metricsType = registry.contentType;

/** Returns all metrics in Prometheus' text format. */
export const metricsText = (): Promise<string> => registry.metrics();

/** Returns one metric in Prometheus' text format; an empty text when there is none with this name. */
export async function metricText(name: string): Promise<string> {
  const isDefined = registry.getMetricsAsArray().some((metric) => metric.name === name);
  return !isDefined ? "" : `${await registry.getSingleMetricAsString(name)}\n`;
}

/** Adds the metrics of Node: processor time, memory, garbage collection, delay of the event loop. */
export function collectProcessMetrics(service: string): void {
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_WATCH_MS });
  // promtool refuses gauges whose names end with _total.
  for (const name of ["handles", "requests", "resources"]) registry.removeSingleMetric(`nodejs_active_${name}_total`);
}

export const counter = <L extends string = never>(name: string, help: string, labels: readonly L[] = []): Counter<L> =>
  new Counter({ name: `tracklog_${name}`, help, labelNames: [...labels], registers: [registry] });

/** A histogram of durations in seconds. */
export const durations = <L extends string = never>(
  name: string,
  help: string,
  labels: readonly L[] = [],
): Histogram<L> => histogram(name, help, labels, DURATIONS_S);

/** A histogram of sizes: messages, rows, or bytes. */
export const sizes = <L extends string = never>(name: string, help: string, labels: readonly L[] = []): Histogram<L> =>
  histogram(name, help, labels, SIZES);

const histogram = <L extends string>(name: string, help: string, labels: readonly L[], buckets: number[]) =>
  new Histogram({ name: `tracklog_${name}`, help, labelNames: [...labels], buckets, registers: [registry] });

/** Values of a gauge with their labels. Values of equal labels are added up. */
export type GaugeValues<L extends string> = Iterable<
  readonly [labels: Readonly<Record<L, string | number>>, value: number]
>;

export interface ObservedGauge<L extends string> {
  /** Calls `read` at each scrape. Returns the function that ends this. */
  observe(read: () => GaugeValues<L>): () => void;
}

/** A gauge that is read from its owners when Prometheus asks, and costs nothing in between. */
export function observedGauge<L extends string = never>(
  name: string,
  help: string,
  labels: readonly L[] = [],
): ObservedGauge<L> {
  const owners = new Set<() => GaugeValues<L>>();
  const gauge: Gauge<L> = new Gauge({
    name: `tracklog_${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const read of owners) {
        for (const [values, value] of read()) gauge.inc(values, value);
      }
    },
  });
  return {
    observe(read) {
      owners.add(read);
      return () => void owners.delete(read);
    },
  };
}

/** Returns name, type and help of the metrics that are defined so far, without those of Node. @internal */
export const definedMetrics = (): { name: string; type: string; help: string }[] =>
  registry.getMetricsAsArray().flatMap(({ name, type, help }) => {
    return name.startsWith("tracklog_") ? [{ name, type: String(type), help }] : [];
  });
