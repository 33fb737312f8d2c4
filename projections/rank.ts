// Ranks of values by the offsets of their events. 0 means not set. Creations rank above 0, the first one in the log
// highest, because a repeated one must not undo an update. Updates rank above creations, the last one highest. Each of
// the two has half of the whole numbers that JavaScript can represent exactly.
/** The highest rank of a creation. The ranks of updates are above. */
const CREATED = 2 ** 52;

export const createdRank = (offset: number): number => CREATED - offset;
export const updatedRank = (offset: number): number => CREATED + 1 + offset;

/** The offset of the event that gave the rank, which is above 0. */
export const offsetOfRank = (rank: number): number => (rank > CREATED ? rank - CREATED - 1 : CREATED - rank);
