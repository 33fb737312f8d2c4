// What the page of a camera is made of besides its picture.
import type { CreatePictureTool, CreateTimeLine } from "../parts/picture-tool.ts";

export const cameraParts: { readonly tool?: CreatePictureTool; readonly timeLine?: CreateTimeLine } = {};
