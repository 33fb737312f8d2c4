/** Values by two texts, such as those of a data source and a track. */
export interface ByPair<Value> {
  /** Returns the value of the pair, and makes it at first. */
  of(first: string, second: string): Value;
  /** The values so far, those of a first text one behind the other. */
  all(): Value[];
}

export function createByPair<Value>(make: (first: string, second: string) => Value): ByPair<Value> {
  const byFirst = new Map<string, Map<string, Value>>();
  /** The detections of a message have the same data source. */
  let last: string | undefined;
  let bySecond = new Map<string, Value>();

  return {
    of(first, second) {
      if (first !== last) {
        last = first;
        bySecond = byFirst.get(first) ?? new Map<string, Value>();
        byFirst.set(first, bySecond);
      }
      const known = bySecond.get(second);
      if (known !== undefined) return known;
      const made = make(first, second);
      bySecond.set(second, made);
      return made;
    },
    all: () => [...byFirst.values()].flatMap((values) => [...values.values()]),
  };
}
