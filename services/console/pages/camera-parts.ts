// The parts of the page of a camera besides its picture.
import type { CreatePictureTool, CreateTimeLine } from "../parts/picture-tool.ts";
import { createTimeLine } from "../parts/time-line.ts";
import { createZoneEditor } from "../parts/zone-editor.ts";

export const cameraParts: { readonly tool?: CreatePictureTool; readonly timeLine?: CreateTimeLine } = {
  tool: createZoneEditor,
  timeLine: createTimeLine,
};
