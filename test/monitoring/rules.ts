/** Prometheus reads the `spec` of the Kubernetes resource. */
export function rulesOf(resource: string): string {
  const [, spec = ""] = resource.split("\nspec:\n");
  return spec.replaceAll(/^ {2}/gm, "");
}
