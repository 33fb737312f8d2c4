// Images and clips, with links to them.
import { html, nothing, type TemplateResult } from "lit-html";
import { isShowable, resolvedMedia } from "../data/media.ts";
import type { Media, ShownClip, ShownImage } from "../data/media-questions.ts";
import type { Times } from "./times.ts";

export function mediaList({ images, imageCount, clips }: Media, times: Times): TemplateResult {
  if (images.length === 0 && clips.length === 0)
    return html`<p class="hint">No image or video of the camera is from this time.</p>`;
  return html`<ul class="media">
      ${clips.map((clip) => clipItem(clip, times))} ${images.map((image) => imageItem(image, times))}
    </ul>
    ${imageCount > images.length ? html`<p class="hint">${imageCount - images.length} more images.</p>` : nothing}`;
}

const clipItem = ({ name, from, to, url, thumbnailUrl }: ShownClip, times: Times) =>
  html`<li>
    <a href=${resolvedMedia(url)} target="_blank" rel="noreferrer">
      ${preview(thumbnailUrl, name)} <bdi>${name}</bdi>, ${times.short(from)} to ${times.short(to, from)}
    </a>
  </li>`;

const imageItem = ({ at, url }: ShownImage, times: Times) =>
  html`<li>
    <a href=${resolvedMedia(url)} target="_blank" rel="noreferrer">${preview(url, "Image")} Image, ${times.short(at)}</a>
  </li>`;

/** Pictures that the policy of the page forbids remain links. */
function preview(url: string | null, name: string) {
  const resolved = url === null ? undefined : resolvedMedia(url);
  return resolved !== undefined && isShowable(resolved)
    ? html`<img src=${resolved} alt=${name} loading="lazy" />`
    : nothing;
}
