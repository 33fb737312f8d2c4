import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import { generationOf } from "../../../projections/deliveries/queue-id.ts";
import { signalSettings } from "../../../projections/subscriptions/settings.ts";
import type { Subscription } from "../../../projections/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import {
  createdAnswer,
  listAnswer,
  rotatedAnswer,
  type SubscriptionBody,
  subscriptionAnswer,
  subscriptionBody,
} from "../../../schemas/rest/subscription.ts";
import type { Guard } from "../../common/outbound/guard.ts";
import type { MarkDeleted } from "../deliveries/mark-deleted.ts";
import { Problem } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { answerOf } from "../subscriptions/answer.ts";
import { checkAddresses, checkCredentials } from "../subscriptions/check-body.ts";
import { pageOf } from "../subscriptions/page.ts";
import { makeSecret, type SigningSecrets } from "../subscriptions/signing-secrets.ts";
import type { SubscriptionStore } from "../subscriptions/store.ts";

export interface SubscriptionRoutesOptions {
  readonly store: SubscriptionStore;
  readonly secrets: SigningSecrets;
  readonly catalog: Pick<Catalog, "get">;
  /** Asks for the token of the credentials, also where callers need none. */
  readonly authenticate: Authenticate;
  readonly guard: Guard;
  readonly markDeleted: MarkDeleted;
  /** Whether an address is that of our own GraphQL API. */
  readonly isOwn: (url: string) => boolean;
  readonly now: () => number;
}

const PATH = "/api/subscriptions/{id}";
const MAX_LIMIT = 1_000;

const unknownId = { description: "There is no such subscription" };

const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
  cursor: z.string().max(1_000).optional(),
});

export const subscriptionRoutes = (options: SubscriptionRoutesOptions): readonly Route[] => [
  listRoute(options),
  showRoute(options),
  setRoute(options),
  deleteRoute(options),
  rotateRoute(options),
];

const answer = ({ catalog }: SubscriptionRoutesOptions, subscription: Subscription) =>
  answerOf(subscription, catalog.get("token", subscription.tokenId)?.revokedAt ?? null);

function known({ store }: SubscriptionRoutesOptions, id: string): Subscription {
  const subscription = store.view.get(id);
  if (subscription === undefined) throw new Problem("not-found", `there is no subscription ${id}`);
  return subscription;
}

const listRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "GET",
    path: "/api/subscriptions",
    summary: "Lists the subscriptions by id, those that are stopped too; a page ends at 4 MiB",
    scope: "read",
    query: pageQuery,
    answers: { 200: { description: "A page", schema: listAnswer } },
    async handle({ query: { cursor, limit } }) {
      const { store } = options;
      await store.refresh();
      const textOf = (subscription: Subscription) => JSON.stringify(answer(options, subscription));
      return { status: 200, body: pageOf({ all: store.view.all(), cursor, limit, textOf }) };
    },
  });

const showRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "GET",
    path: PATH,
    summary: "Shows a subscription",
    scope: "read",
    answers: { 200: { description: "The subscription", schema: subscriptionAnswer }, 404: unknownId },
    async handle({ params: { id = "" } }) {
      await options.store.refresh();
      return { status: 200, body: answer(options, known(options, id)) };
    },
  });

const setRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "POST",
    path: PATH,
    summary: "Creates a subscription, or replaces it: its secret and its queue stay, and deliveries go on if stopped",
    scope: "write",
    body: subscriptionBody,
    answers: {
      200: { description: "It was replaced", schema: subscriptionAnswer },
      201: { description: "It was created; only this answer shows the secret", schema: createdAnswer },
    },
    async handle({ params: { id = "" }, body }) {
      const { store, secrets, authenticate, guard, isOwn } = options;
      checkAddresses(guard, isOwn, body);
      checkCredentials(authenticate, body);
      const given = body.webhook_secret ?? undefined;
      let created: string | undefined;
      const after = await store.change(id, (current) => {
        const set = setOf(options, { id, body, current });
        if (current === undefined) {
          created = given ?? makeSecret();
          return { ...set, secrets: secrets.first(id, created) };
        }
        return given === undefined ? set : { ...set, secrets: secrets.rotated(id, current.secrets, given) };
      });
      if (created === undefined) return { status: 200, body: answer(options, after) };
      const headers = { location: `/api/subscriptions/${encodeURIComponent(id)}` };
      return { status: 201, headers, body: { ...answer(options, after), secret: created } };
    },
  });

interface Wanted {
  readonly id: string;
  readonly body: SubscriptionBody;
  readonly current: Subscription | undefined;
}

/** Its secrets are those of a new subscription, or those that it has. */
const setOf = ({ secrets, now }: SubscriptionRoutesOptions, { id, body, current }: Wanted): SubscriptionSet => ({
  ...signalSettings(body),
  key: id,
  version: randomUUID(),
  webhookUrl: body.webhook_url,
  workflowName: body.workflow_name,
  workflowId: body.workflow_id ?? null,
  graphqlUrl: body.credentials.graphql_url ?? null,
  wsUrl: body.credentials.ws_url ?? null,
  tokenId: body.credentials.x_token_id,
  tokenValue: secrets.sealToken(id, body.credentials.x_token_value),
  secrets: current === undefined ? [] : secrets.kept(id, current.secrets),
  createdAt: current?.createdAt ?? now(),
  updatedAt: now(),
  deleted: false,
});

const deleteRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "DELETE",
    path: PATH,
    summary: "Deletes a subscription: no delivery begins any more, also of signals that wait",
    scope: "write",
    answers: { 204: { description: "It is deleted" }, 404: unknownId },
    async handle({ params: { id = "" } }) {
      const { store, now, markDeleted } = options;
      const gone = { tokenValue: "", secrets: [], deleted: true };
      const deleted = await store.change(id, () => ({ ...known(options, id), ...gone, updatedAt: now() }));
      await markDeleted(generationOf(deleted));
      return { status: 204 };
    },
  });

const rotateRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "POST",
    path: `${PATH}/rotate-secret`,
    summary: "Makes another secret; the old one is valid for a day more",
    scope: "write",
    answers: { 200: { description: "The new secret, shown only here", schema: rotatedAnswer }, 404: unknownId },
    async handle({ params: { id = "" } }) {
      const { store, secrets, now } = options;
      const secret = makeSecret();
      const after = await store.change(id, () => {
        const current = known(options, id);
        return { ...current, secrets: secrets.rotated(id, current.secrets, secret), updatedAt: now() };
      });
      return { status: 200, body: { secret, previous_valid_until: validUntil(after) } };
    },
  });

const validUntil = ({ secrets: [, previous] }: SubscriptionSet): string =>
  new Date(previous?.validUntil ?? 0).toISOString();
