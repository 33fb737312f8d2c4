// The newest beginnings and ends of stays, for a list. Pure.

export interface Crossing {
  readonly stayId: string;
  readonly isEnd: boolean;
  readonly at: number;
  /** When the stay began. */
  readonly since: number;
  readonly trackId: string;
  readonly tag: string;
  readonly zoneId: string;
  readonly zoneName: string;
}

const KEPT = 100;

export class Crossings {
  /** The newest first. */
  #all: readonly Crossing[] = [];

  get newest(): readonly Crossing[] {
    return this.#all;
  }

  /** One that is in the list already changes its place only when its time has changed. */
  add(crossing: Crossing): void {
    const known = this.#all.find((each) => isSame(each, crossing));
    if (known !== undefined && known.at === crossing.at) return;
    const others = known === undefined ? this.#all : this.#all.filter((each) => each !== known);
    const at = others.findIndex((each) => each.at <= crossing.at);
    const place = at === -1 ? others.length : at;
    if (place < KEPT) this.#all = [...others.slice(0, place), crossing, ...others.slice(place, KEPT - 1)];
  }

  /** The stay goes on: an end that was known is not one. */
  takeBackEnd(stayId: string): void {
    if (this.#all.some((each) => each.isEnd && each.stayId === stayId))
      this.#all = this.#all.filter((each) => !(each.isEnd && each.stayId === stayId));
  }
}

const isSame = (a: Crossing, b: Crossing): boolean => a.stayId === b.stayId && a.isEnd === b.isEnd;
