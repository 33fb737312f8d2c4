// What an event says ranks behind its place in the log. 0 = not set; then creations, the first in the log highest, because
// a repeated one must not undo an update; then updates, the last highest. Each kind has half of the whole numbers that
// JavaScript can represent exactly.
/** The highest rank of a creation; those of updates are above. */
export const CREATED = 2 ** 52;

export const createdRank = (offset: number): number => CREATED - offset;
export const updatedRank = (offset: number): number => CREATED + 1 + offset;
