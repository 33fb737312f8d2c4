// Secrets with which deliveries are signed (Standard Webhooks). A replaced secret is valid for a day, so that a
// receiver has time to install the new one.
import { randomBytes } from "node:crypto";
import { signingSecretPlace, tokenValuePlace } from "../../../projections/webhooks/subscriptions/places.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { SECRET_PREFIX } from "../../../schemas/rest/subscriptions.ts";
import { DAY_MS } from "../../../schemas/units.ts";
import { SealError, type Sealer } from "../../common/sealed.ts";
import { Problem } from "../http/problem.ts";

type Secrets = SubscriptionSet["secrets"];

export interface SigningSecrets {
  /** Returns the secrets of a new subscription. */
  first(id: string, secret: string): Secrets;
  /** Adds the secret as the newest one. The same secret again changes nothing. */
  rotated(id: string, secrets: Secrets, secret: string): Secrets;
  /** Drops the expired secrets. */
  kept(id: string, secrets: Secrets): Secrets;
  sealToken(id: string, value: string): string;
  /** Seals all secrets of other keys with the newest key; returns the same object if there are none. */
  sealedAgain(subscription: Subscription): Subscription;
}

const SECRET_BYTES = 32;
const PREVIOUS_VALID_MS = DAY_MS;
/**
 * The maximum number of replaced secrets that are still valid at a time: every delivery is signed with each of them.
 */
const MAX_PREVIOUS = 4;

export const makeSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

export function createSigningSecrets(sealer: Sealer, now: () => number): SigningSecrets {
  const seal = (id: string, secret: string) => sealer.seal(secret, signingSecretPlace(id));

  /** @returns undefined when no key can open the secret. */
  function open(sealed: string, place: string): string | undefined {
    try {
      return sealer.open(sealed, place);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }

  const isSecret = (id: string, sealed: string, secret: string) => open(sealed, signingSecretPlace(id)) === secret;

  /** A secret that no key opens stays unchanged. */
  function sealAgain(sealed: string, place: string): string {
    const secret = sealer.isCurrent(sealed) ? undefined : open(sealed, place);
    return secret === undefined ? sealed : sealer.seal(secret, place);
  }

  const kept = (id: string, secrets: Secrets): Secrets =>
    secrets
      .filter(({ validUntil }) => validUntil === null || validUntil > now())
      .map(({ sealed, validUntil }) => ({ sealed: sealAgain(sealed, signingSecretPlace(id)), validUntil }));

  return {
    first: (id, secret) => [{ sealed: seal(id, secret), validUntil: null }],
    kept,
    rotated(id, secrets, secret) {
      const [newest, ...previous] = kept(id, secrets);
      if (newest !== undefined && isSecret(id, newest.sealed, secret)) return [newest, ...previous];
      const others = previous.filter(({ sealed }) => !isSecret(id, sealed, secret));
      if (others.length >= MAX_PREVIOUS) throw tooOften(others.map(({ validUntil }) => validUntil ?? now()));
      const replaced = newest === undefined ? [] : [{ ...newest, validUntil: now() + PREVIOUS_VALID_MS }];
      return [{ sealed: seal(id, secret), validUntil: null }, ...replaced, ...others];
    },
    sealToken: (id, value) => sealer.seal(value, tokenValuePlace(id)),
    sealedAgain(subscription) {
      const { key: id, tokenValue } = subscription;
      const secrets = kept(id, subscription.secrets);
      const after = { ...subscription, tokenValue: sealAgain(tokenValue, tokenValuePlace(id)), secrets };
      const isSame =
        after.tokenValue === tokenValue &&
        subscription.secrets.every(({ sealed }) => secrets.some((each) => each.sealed === sealed));
      return isSame ? subscription : after;
    },
  };
}

function tooOften(validUntil: readonly number[]): Problem {
  const next = new Date(Math.min(...validUntil)).toISOString();
  return new Problem("conflict", `${MAX_PREVIOUS} replaced secrets are still valid; the next rotation is at ${next}`);
}
