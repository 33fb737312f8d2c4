// Subscriptions over graphql-transport-ws and Server-Sent Events, on the server of the API.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import type { Log } from "../../common/log.ts";
import type { ApiParts } from "../api.ts";
import type { CatalogView } from "../catalog-view.ts";
import type { TrackRouting } from "../track-routing.ts";
import type { ZonesView } from "../zones-view.ts";
import type { SubscriptionsConfig } from "./config.ts";

export interface SubscriptionDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly catalog: CatalogView;
  readonly zones: ZonesView;
  readonly routing: TrackRouting;
  readonly log: Log;
  readonly maxFutureMs: number;
  readonly config: SubscriptionsConfig;
}

/** Call it before the server listens; what it opens is closed with the server. */
export function mountSubscriptions(_api: ApiParts, _deps: SubscriptionDeps): void {}
