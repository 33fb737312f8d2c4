import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Authenticate } from "../../../projections/catalog/tokens.ts";
import { generationOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { signalSettings } from "../../../projections/webhooks/subscriptions/settings.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import {
  rotatedAnswer,
  subscriptionAnswerSchema,
  subscriptionCreated,
  subscriptionsAnswer,
} from "../../../schemas/rest/subscription-answers.ts";
import {
  type SubscriptionBody,
  subscriptionBody,
  subscriptionConditions,
  subscriptionsQuery,
} from "../../../schemas/rest/subscriptions.ts";
import type { Guard } from "../../common/outbound/guard.ts";
import type { MarkDeleted } from "../deliveries/mark-deleted.ts";
import { requireRead } from "../http/admit.ts";
import { invalid, Problem } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { pageOf } from "../shared/page.ts";
import { subscriptionAnswer } from "./answer.ts";
import { checkAddresses, checkCredentials } from "./check-body.ts";
import { makeSecret, type SigningSecrets } from "./signing-secrets.ts";
import type { SubscriptionStore } from "./store.ts";

export interface SubscriptionRoutesOptions {
  readonly store: SubscriptionStore;
  readonly secrets: SigningSecrets;
  readonly catalog: Pick<Catalog, "get">;
  /** Checks the token of the credentials, even when callers need none. */
  readonly authenticate: Authenticate;
  readonly guard: Guard;
  readonly markDeleted: MarkDeleted;
  /** @returns true when the address is that of our own GraphQL API. */
  readonly isOwn: (url: string) => boolean;
  readonly now: () => number;
}

const PATH = "/api/subscriptions/{id}";

const params = { id: "Id of the subscription, which the caller chooses" };
const unknownId = { description: "There is no such subscription." };
const uncertain = {
  description:
    "The log or Redis does not answer, others are changing this subscription, or too many requests are in progress. " +
    "The change may have been made.",
};

export const subscriptionRoutes = (options: SubscriptionRoutesOptions): readonly Route[] => [
  listRoute(options),
  showRoute(options),
  setRoute(options),
  deleteRoute(options),
  rotateRoute(options),
];

const answer = ({ catalog }: SubscriptionRoutesOptions, subscription: Subscription) =>
  subscriptionAnswer(subscription, catalog.get("token", subscription.tokenId)?.revokedAt ?? null);

function known({ store }: SubscriptionRoutesOptions, id: string): Subscription {
  const subscription = store.view.get(id);
  if (subscription === undefined) throw new Problem("not-found", `there is no subscription ${id}`);
  return subscription;
}

const listRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "GET",
    path: "/api/subscriptions",
    summary: "Lists the subscriptions by id, those that are stopped too",
    description: "A page ends earlier than at `limit` when its subscriptions have 4 MiB together.",
    scope: "read",
    query: subscriptionsQuery,
    answers: { 200: { description: "A page of the list.", schema: subscriptionsAnswer } },
    async handle({ query: { cursor, limit } }) {
      const { store } = options;
      await store.refresh();
      const textOf = (subscription: Subscription) => JSON.stringify(answer(options, subscription));
      const all = store.view.all();
      return { status: 200, body: await pageOf({ name: "subscriptions", all, cursor, limit, textOf }) };
    },
  });

const showRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "GET",
    path: PATH,
    params,
    summary: "Returns a subscription",
    description: "No secret is shown.",
    scope: "read",
    answers: { 200: { description: "The subscription.", schema: subscriptionAnswerSchema }, 404: unknownId },
    async handle({ params: { id = "" } }) {
      await options.store.refresh();
      return { status: 200, body: answer(options, known(options, id)) };
    },
  });

const setRoute = (options: SubscriptionRoutesOptions): Route =>
  route({
    method: "POST",
    path: PATH,
    params,
    summary: "Creates a subscription, or replaces the settings of an existing one",
    description:
      "An existing subscription keeps its secret, unless the body has another one, and the deliveries that wait. " +
      "Deliveries that were stopped go on. " +
      "With `If-None-Match: *` the request only creates. When its answer was lost, a repeated one may get 412 for the " +
      "subscription that the first one has created; `rotate-secret` shows a secret of it.",
    scope: "write",
    headers: subscriptionConditions,
    body: subscriptionBody,
    answers: {
      200: { description: "The subscription was replaced.", schema: subscriptionAnswerSchema },
      201: {
        description: "The subscription was created. Only this answer shows the secret.",
        schema: subscriptionCreated,
      },
      400: { description: "The request is not valid, or the service may not call one of the addresses." },
      401: { description: "The token of the request, or that of `credentials`, is missing, wrong or revoked." },
      403: {
        description: "The token of the request lacks the scope write, or that of `credentials` lacks the scope read.",
      },
      409: {
        description:
          "There are too many subscriptions (in all, with this token, or to a data source), they take too much memory, " +
          "or four replaced secrets are still valid.",
      },
      412: { description: "The request has `If-None-Match: *`, and there is a subscription with this id." },
      503: uncertain,
    },
    async handle({ params: { id = "" }, headers: sent, body }) {
      const { store, secrets, authenticate, guard, isOwn } = options;
      const onlyCreates = isForNew(sent);
      checkAddresses(guard, isOwn, body);
      checkCredentials(authenticate, body);
      const given = body.webhook_secret ?? undefined;
      let created: string | undefined;
      const after = await store.change(id, (current) => {
        if (onlyCreates && current !== undefined)
          throw new Problem("precondition-failed", `there is a subscription ${id} already`);
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

function isForNew(headers: IncomingHttpHeaders): boolean {
  const conditions = subscriptionConditions.safeParse(headers);
  if (!conditions.success) throw invalid(conditions.error, "headers");
  return conditions.data["if-none-match"] !== undefined;
}

interface Wanted {
  readonly id: string;
  readonly body: SubscriptionBody;
  readonly current: Subscription | undefined;
}

/**
 * Returns the subscription to store. A new one has no secrets yet; an existing one keeps its secrets that are still
 * valid.
 */
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
    params,
    summary: "Deletes a subscription",
    description:
      "After the answer no delivery begins any more, not even of signals that wait; requests in flight may still arrive.",
    scope: "write",
    answers: { 204: { description: "The subscription is deleted." }, 404: unknownId, 503: uncertain },
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
    params,
    summary: "Replaces the secret with which deliveries are signed",
    description: "For a day deliveries are signed with both, so that the receiver has time to install the new one.",
    scope: "write",
    answers: {
      200: { description: "The new secret, which only this answer shows.", schema: rotatedAnswer },
      403: {
        description: "The token lacks the scope write, or is not that of the subscription and lacks the scope read.",
      },
      404: unknownId,
      409: { description: "Four replaced secrets are still valid; `detail` says when the next rotation is possible." },
      503: uncertain,
    },
    async handle({ params: { id = "" }, principal }) {
      const { store, secrets, now } = options;
      const secret = makeSecret();
      const after = await store.change(id, () => {
        const current = known(options, id);
        if (current.tokenId !== principal.tokenId) requireRead(principal);
        return { ...current, secrets: secrets.rotated(id, current.secrets, secret), updatedAt: now() };
      });
      return { status: 200, body: { secret, previous_valid_until: validUntil(after) } };
    },
  });

const validUntil = ({ secrets: [, previous] }: SubscriptionSet): string =>
  new Date(previous?.validUntil ?? 0).toISOString();
