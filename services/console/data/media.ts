/**
 * The API serves media of its folder itself, under the address by which it knows itself; the browser may know it by
 * another one. Links to a bucket stay as they are.
 */
export function resolvedMedia(url: string, origin = location.origin): string {
  const { pathname, search, hash } = new URL(url, origin);
  return pathname.startsWith("/media/") ? origin + pathname + search + hash : url;
}
