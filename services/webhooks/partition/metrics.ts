// The metrics of the partitions of signals.
import { observedGauge } from "../../common/metrics/define.ts";

export const lanes = observedGauge("webhook_lanes", "Subscriptions with deliveries that wait or are under way.");
