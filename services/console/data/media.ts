/** Whether the policy of the page allows it to be shown: media of this origin, and of the server of the bucket. */
export function isShowable(url: string): boolean {
  const bucket = document.querySelector<HTMLMetaElement>("meta[name=tracklog-media]")?.content;
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && (origin === location.origin || origin === bucket);
}

/**
 * The API serves media of its folder itself, under the address by which it knows itself; the browser may know it by
 * another one. Links to a bucket stay as they are.
 */
export function resolvedMedia(url: string, origin = location.origin): string {
  const { pathname, search, hash } = new URL(url, origin);
  return pathname.startsWith("/media/") ? origin + pathname + search + hash : url;
}
