// The chronicles that the feed remembers. The memory has the whole objects, because an event contains only the changes.
// It is bounded: it forgets the chronicles whose last event is oldest.
import type { ChronicleKind } from "../../schemas/chronicles/kinds.ts";
import type { Entity } from "../catalog/define-entity.ts";

export interface ChronicleRef {
  readonly kind: ChronicleKind;
  readonly id: string;
}

export type RememberedChronicle = Entity<object>;

export interface ChronicleMemory {
  /** @returns null when the chronicle does not exist or is deleted; undefined when the memory does not know. */
  get(ref: ChronicleRef): RememberedChronicle | null | undefined;
  set(ref: ChronicleRef, chronicle: RememberedChronicle | null): void;
  /**
   * Forgets the chronicles beyond the bound. The caller must do this only between batches: chronicles that were looked
   * up for a batch must be there when it is folded.
   */
  trim(): void;
}

interface Kept {
  readonly chronicle: RememberedChronicle | null;
  readonly characters: number;
}

const keyOf = ({ kind, id }: ChronicleRef): string => `${kind} ${id}`;

export function createChronicleMemory(maxCharacters: number): ChronicleMemory {
  // A Map keeps the order of insertion, so its first key is the one that was used least recently.
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
