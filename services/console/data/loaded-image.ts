/** A host that never answers keeps nobody waiting. */
const WITHIN_MS = 20_000;

/** @returns undefined when the image is gone or late, cannot be decoded, or is of a host that the policy forbids. */
export async function loadedImage(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  image.src = url;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the image is late")), WITHIN_MS);
  });
  try {
    await Promise.race([image.decode(), late]);
    return image;
  } catch {
    // Ends the request of a late one.
    image.removeAttribute("src");
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
