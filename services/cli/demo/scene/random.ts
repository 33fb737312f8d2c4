// Seeded randomness: the same seed gives the same scene on every machine.

export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  between(min: number, max: number): number;
  /** Returns a whole number from 0 to below `count`. */
  below(count: number): number;
  chance(probability: number): boolean;
}

/** Algorithm: mulberry32 (Tommy Ettinger, public domain), with 32 bits of state, good enough for walks. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    below: (count) => Math.floor(next() * count),
    chance: (probability) => next() < probability,
  };
}

/** Returns a seed for one part of a scene: after adding a camera or a duplicate all other walks stay the same. */
export function seedFor(seed: number, ...parts: readonly number[]): number {
  let mixed = seed >>> 0;
  for (const part of parts) mixed = Math.floor(createRandom(mixed ^ Math.imul(part + 1, 0x9e3779b1)).next() * 2 ** 32);
  return mixed >>> 0;
}
