import type { Frames } from "../../../services/api/media/frames.ts";
import type { MediaStore } from "../../../services/common/media/store.ts";

const refuse = (): never => {
  throw new Error("no medium is asked for here");
};

export const noFrames: Frames = { take: refuse, stop: () => {} };

export const noMedia: MediaStore = {
  put: refuse,
  open: refuse,
  exists: refuse,
  delete: refuse,
  signedUrl: refuse,
  source: refuse,
};
