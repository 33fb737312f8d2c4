// All cameras, page by page.
import { allNodes } from "./all-nodes.ts";
import type { ListedCamera } from "./camera-search.ts";
import type { Requests } from "./requests.ts";

const CAMERAS = /* GraphQL */ `
  query Cameras($after: String) {
    dataSources(first: 1000, after: $after) {
      edges { node { id name labels device { lastHeartbeat site { name } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

interface DataSourceNode {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[] | null;
  readonly device: { readonly lastHeartbeat: string | null; readonly site: { readonly name: string } | null } | null;
}

export async function askCameras({ ask }: Requests, signal: AbortSignal): Promise<readonly ListedCamera[]> {
  return (await allNodes<DataSourceNode>(ask, CAMERAS, {}, { signal })).map(listed);
}

const listed = ({ id, name, labels, device }: DataSourceNode): ListedCamera => ({
  id,
  name,
  labels: labels ?? [],
  site: device?.site?.name,
  lastHeartbeat: device?.lastHeartbeat ? Date.parse(device.lastHeartbeat) : undefined,
});
