// Secrets that one answer has shown, by what they belong to. They outlive the page: who leaves it while the request is
// on its way finds the secret when coming back. Closing or leaving the document forgets them.

export interface KeptSecret {
  readonly title: string;
  readonly value: string;
  readonly text: string;
}

export interface KeptSecrets {
  keep(id: string, secret: KeptSecret): void;
  of(id: string): KeptSecret | undefined;
  /** Ids whose secrets nobody has put away yet, the newest first. */
  ids(): readonly string[];
  forget(id: string): void;
}

export function createKeptSecrets(): KeptSecrets {
  const kept = new Map<string, KeptSecret>();
  return {
    keep(id, secret) {
      kept.delete(id);
      kept.set(id, secret);
    },
    of: (id) => kept.get(id),
    ids: () => [...kept.keys()].toReversed(),
    forget: (id) => void kept.delete(id),
  };
}

export const webhookSecrets = createKeptSecrets();
export const replaySecrets = createKeptSecrets();
