// Leads the focus to the heading of a new place, so that a screen reader says where the user is now.

export class PageFocus {
  readonly #root: Element;
  /** The heading of the place before, while the new one has not been drawn. */
  #before: { readonly heading: string; readonly isOtherPage: boolean } | undefined;

  constructor(root: Element) {
    this.#root = root;
  }

  /** The address has changed. A change of the query alone may be a condition, which leaves the user where they are. */
  leave(isOtherPage: boolean): void {
    const isWaiting = this.#before?.isOtherPage ?? false;
    this.#before = { heading: this.#heading?.textContent ?? "", isOtherPage: isOtherPage || isWaiting };
  }

  /** The place has been drawn. */
  arrive(): void {
    const before = this.#before;
    if (before === undefined) return;
    this.#before = undefined;
    const heading = this.#heading;
    // Something that the user had the focus on may be gone.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!before.isOtherPage && !isLost && heading?.textContent === before.heading) return;
    const place = heading ?? this.#root.querySelector<HTMLElement>("#main");
    if (heading !== null) heading.tabIndex = -1;
    place?.focus();
  }

  get #heading(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>("#main h1");
  }
}
