// Finds cameras by words. Pure.

export interface ListedCamera {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly site: string | undefined;
  readonly lastHeartbeat: number | undefined;
}

/** @param text each of its words must be in the name, the site, a label or the id, in any case. */
export function foundCameras(cameras: readonly ListedCamera[], text: string): readonly ListedCamera[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return cameras;
  return cameras.filter(({ id, name, site, labels }) => {
    const all = [id, name, site ?? "", ...labels].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
