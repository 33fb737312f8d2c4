// What the feed remembers of chronicles: the whole objects, because an event says only what it changes. Bounded: the memory
// forgets those without an event for longest.
import type { ChronicleKind } from "../../schemas/chronicles/kinds.ts";
import type { Entity } from "../catalog/define-entity.ts";

export interface ChronicleRef {
  readonly kind: ChronicleKind;
  readonly id: string;
}

export type RememberedChronicle = Entity<object>;

export interface ChronicleMemory {
  /** null = there is none, or it is deleted; undefined = the memory does not know. */
  get(ref: ChronicleRef): RememberedChronicle | null | undefined;
  set(ref: ChronicleRef, chronicle: RememberedChronicle | null): void;
  /** Forgets what is too much. Only between batches: what was looked up for one must be there when it is folded. */
  trim(): void;
}

interface Kept {
  readonly chronicle: RememberedChronicle | null;
  readonly characters: number;
}

const keyOf = ({ kind, id }: ChronicleRef): string => `${kind} ${id}`;

export function createChronicleMemory(maxCharacters: number): ChronicleMemory {
  // A Map keeps the order of insertion: the first key is the one not used for longest.
  const kept = new Map<string, Kept>();
  let characters = 0;

  function forget(key: string): void {
    characters -= kept.get(key)?.characters ?? 0;
    kept.delete(key);
  }

  return {
    get: (ref) => kept.get(keyOf(ref))?.chronicle,
    set(ref, chronicle) {
      const key = keyOf(ref);
      forget(key);
      const own = key.length + (chronicle === null ? 0 : JSON.stringify(chronicle).length);
      kept.set(key, { chronicle, characters: own });
      characters += own;
    },
    trim() {
      for (const key of kept.keys()) {
        if (characters <= maxCharacters) return;
        forget(key);
      }
    },
  };
}
