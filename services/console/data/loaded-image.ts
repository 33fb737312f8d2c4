/** @returns undefined when the image is gone, cannot be decoded, or is of a host that the policy forbids. */
export async function loadedImage(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined;
  }
}
