// After SECRETS_KEY was replaced, seals with it all secrets that an old key sealed, so that the old key can be removed.
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { Problem } from "../http/problem.ts";
import type { SigningSecrets } from "./signing-secrets.ts";
import type { SubscriptionStore } from "./store.ts";

interface SealAgainOptions {
  readonly store: SubscriptionStore;
  readonly secrets: SigningSecrets;
  readonly log: Log;
}

/** Runs in the background. What fails is tried again at the next start. */
export function sealAgain({ store, secrets, log }: SealAgainOptions): Part {
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const stale = [...store.view.all()].filter((each) => secrets.sealedAgain(each) !== each);
    let count = 0;
    for (const { key } of stale) {
      if (stopped.signal.aborted) return;
      await store.change(key, (current) => {
        if (current === undefined) throw new Problem("not-found", "deleted meanwhile");
        return secrets.sealedAgain(current);
      });
      count += 1;
    }
    if (count > 0) log.info({ subscriptions: count }, "sealed again");
  }

  return {
    name: "seal again",
    start: async () => {
      running = run().catch((error: unknown) => log.warn({ err: error }, "not sealed again"));
    },
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
