// The parts of an operation's context that images and videos use.
import type { Principal } from "../../../projections/catalog/tokens.ts";
import type { MediaStore } from "../../common/media/store.ts";
import type { ReadContext } from "../read/read-context.ts";
import type { WriteContext } from "../write/write-context.ts";
import type { Frames } from "./frames.ts";

export interface MediaContext extends ReadContext, WriteContext {
  readonly principal: Principal;
  readonly media: MediaStore;
  readonly frames: Pick<Frames, "take">;
}
