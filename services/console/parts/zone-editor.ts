// Draws and changes zones on the picture of a camera, by mouse, touch and keys.
import { html, type TemplateResult } from "lit-html";
import { shownError } from "../data/errors.ts";
import { pollWhileSeen } from "../data/polling.ts";
import type { OwnChange, ZoneRecord } from "../data/zone-record.ts";
import { askZone, askZoneVersions } from "../data/zone-requests.ts";
import { editLayer } from "../picture/edit/edit-layer.ts";
import type { Layer } from "../picture/picture.ts";
import { isInRings } from "../picture/rings.ts";
import type { Point } from "../picture/view.ts";
import { createLeaveQuestion } from "./leave-question.ts";
import type { CameraHost, CreatePictureTool, PictureTool } from "./picture-tool.ts";
import type { ZoneCursor } from "./zone-cursor.ts";
import { ZoneKeys } from "./zone-keys.ts";
import { ZonePointer } from "./zone-pointer.ts";
import { ZoneSession } from "./zone-session.ts";
import { zoneChoiceView, zoneSessionView } from "./zone-views.ts";

/** All that lives as long as one zone is edited. */
interface Work {
  readonly session: ZoneSession;
  readonly cursor: ZoneCursor;
  readonly pointer: ZonePointer;
  readonly keys: ZoneKeys;
  readonly end: () => void;
}

class ZoneEditor implements PictureTool {
  readonly #host: CameraHost;
  #work: Work | undefined;
  #said = "";
  #isBusy = false;
  #gestures = 0;
  readonly #leaving = createLeaveQuestion(window);

  constructor(host: CameraHost) {
    this.#host = host;
  }

  readonly layer: Layer = editLayer(() => {
    if (this.#work === undefined) return undefined;
    const { session, cursor } = this.#work;
    const { editing, flaw, theirs } = session;
    const isTheirsShown = theirs?.is === "changed" && theirs.fields.includes("rings");
    const next = editing.draft.isOpen ? cursor.at : undefined;
    return {
      editing,
      next,
      hasCursor: cursor.isByKeys,
      flaw,
      theirs: isTheirsShown ? theirs.content.rings : undefined,
    };
  });

  get isAtWork(): boolean {
    return this.#work !== undefined;
  }

  view(): TemplateResult {
    const { app, scene } = this.#host;
    if (!app.may("write")) return html``;
    if (this.#work !== undefined) return zoneSessionView(this.#work.session, app.times);
    return zoneChoiceView({
      zones: scene.zones,
      said: this.#said,
      isBusy: this.#isBusy,
      onNew: () => this.#begin(undefined),
      onEdit: (id) => this.#open(id),
    });
  }

  pointer(event: MouseEvent, at: Point): boolean {
    if (this.#work !== undefined) return this.#work.pointer.handle(event, at);
    if (event.type !== "dblclick" || !this.#host.app.may("write")) return false;
    const zone = this.#host.scene.zones.findLast(({ rings }) => isInRings(rings, at));
    if (zone !== undefined) this.#open(zone.id);
    return zone !== undefined;
  }

  key(event: KeyboardEvent): boolean {
    return this.#work?.keys.handle(event) ?? false;
  }

  mayLeave(): boolean {
    return this.#leaving.mayLeave();
  }

  stop(): void {
    this.#work?.end();
    this.#work = undefined;
    this.#leaving.need(false);
  }

  /** Reads the zone first: the picture may show it as it was, or as it was a moment ago. */
  async #open(id: string): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#say("");
    try {
      const zone = await askZone(this.#host.app, id);
      if (zone === undefined) this.#said = "This zone does not exist any more.";
      else if (this.#work === undefined) this.#begin(zone);
    } catch (error) {
      this.#said = shownError(error).message;
    } finally {
      this.#isBusy = false;
      this.#changed();
    }
  }

  #begin(zone: ZoneRecord | undefined): void {
    const { app, dataSourceId, picture, scene } = this.#host;
    const session = new ZoneSession(zone, `Zone ${scene.zones.length + 1}`, {
      requests: app,
      dataSourceId,
      onChange: () => this.#changed(),
      onEnd: (words, change) => this.#end(words, change),
    });
    const cursor: ZoneCursor = { at: undefined, isByKeys: false };
    const newGesture = () => ++this.#gestures;
    const pointer = new ZonePointer(picture, session, cursor, newGesture);
    const keys = new ZoneKeys(picture, session, cursor, newGesture);
    const ends = [heldPicture(this.#host), noticing(this.#host, session, () => pointer.isDown)];
    const end = () => {
      for (const undo of ends) undo();
      pointer.stop();
    };
    this.#work = { session, cursor, pointer, keys, end };
    picture.canvas.focus();
    this.#changed();
  }

  #end(words: string, change: OwnChange | undefined): void {
    this.stop();
    this.#host.picture.canvas.focus();
    if (change === undefined) this.#host.reloadZones();
    else this.#host.zoneChanged(change);
    this.#say(words);
  }

  #say(words: string): void {
    this.#said = words;
    this.#changed();
  }

  #changed(): void {
    this.#leaving.need(this.#work?.session.isChanged ?? false);
    this.#host.app.redraw();
    this.#host.picture.repaint();
  }
}

export const createZoneEditor: CreatePictureTool = (host) => new ZoneEditor(host);

/** The picture must not move under a drawing when something appears at its edge, or when a finger draws. */
function heldPicture({ picture }: CameraHost): () => void {
  const { canvas, isMoved, view } = picture;
  picture.look(view);
  const heldView = picture.view;
  canvas.style.touchAction = "none";
  const described = canvas.getAttribute("aria-describedby") ?? "";
  canvas.setAttribute("aria-describedby", `zone-hint ${described}`);
  return () => {
    canvas.style.touchAction = "";
    canvas.setAttribute("aria-describedby", described);
    if (!isMoved && picture.view === heldView) picture.showAll();
  };
}

/** How often changes by others are looked for while somebody edits. */
const NOTICE_MS = 3_000;

/** Shows changes of all zones of the camera, and passes those of the edited zone to the session. */
function noticing(
  { app, dataSourceId, reloadZones }: CameraHost,
  session: ZoneSession,
  isDragging: () => boolean,
): () => void {
  const stopped = new AbortController();
  let last: string | undefined;

  async function look(): Promise<void> {
    const versions = await askZoneVersions(app, dataSourceId, stopped.signal);
    const text = JSON.stringify([...versions]);
    if (last !== undefined && text !== last) reloadZones();
    last = text;
    if (session.isNew || session.isBusy || versions.get(session.id) === session.version) return;
    const now = await askZone(app, session.id);
    if (!stopped.signal.aborted && !session.isBusy && !isDragging()) session.noticed(now);
  }

  // The next look repeats one that failed.
  const stopPolling = pollWhileSeen(look, NOTICE_MS);
  return () => {
    stopped.abort();
    stopPolling();
  };
}
