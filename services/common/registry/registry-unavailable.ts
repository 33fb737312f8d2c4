/** Thrown when the registry is unavailable, so that waiting may help. */
export class RegistryUnavailable extends Error {
  override readonly name = "RegistryUnavailable";
}
