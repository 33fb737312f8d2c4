// The worst known shapes for the fold: outlines of many edges, all of which run through all of the detection.

/** Edges nearly along x from side to side, one above the other: each of them is over or under all of a detection. */
export function layers(vertices: number, size: number): number[] {
  const ring: number[] = [];
  const teeth = vertices - 3;
  for (let i = 0; i < teeth; i++) ring.push(i % 2 === 0 ? 0 : size, (i / teeth) * size);
  // Back along the left side, outside of the teeth.
  ring.push(-1, size + 1, -1, -1);
  return [...ring, ...ring.slice(0, 2)];
}

/** The same edges nearly along y. */
export function columns(vertices: number, size: number): number[] {
  const ring = layers(vertices, size);
  return ring.map((_, i) => ring[i % 2 === 0 ? i + 1 : i - 1] ?? 0);
}

/** A ring around the middle with random radii: like a hand-drawn zone, but with more vertices. */
export function star(vertices: number, size: number, random: () => number): number[] {
  const ring: number[] = [];
  for (let i = 0; i < vertices - 1; i++) {
    const angle = (i / (vertices - 1)) * 2 * Math.PI;
    const radius = (size / 2) * (0.5 + random() / 2);
    ring.push(size / 2 + radius * Math.cos(angle), size / 2 + radius * Math.sin(angle));
  }
  return [...ring, ...ring.slice(0, 2)];
}

/** Turned about the middle of the square and scaled. */
export function turned(ring: readonly number[], size: number, angle: number, scale: number): number[] {
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const half = size / 2;
  return ring.map((value, i) => {
    const x = (i % 2 === 0 ? value : (ring[i - 1] ?? 0)) - half;
    const y = (i % 2 === 0 ? (ring[i + 1] ?? 0) : value) - half;
    return half + (i % 2 === 0 ? x * cos - y * sin : x * sin + y * cos);
  });
}

export function seeded(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
