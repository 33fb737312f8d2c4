// All cameras, page by page.
import type { ListedCamera } from "./camera-search.ts";
import type { Edges } from "./live-questions.ts";
import type { Requests } from "./requests.ts";

const CAMERAS = /* GraphQL */ `
  query Cameras($after: String) {
    dataSources(first: 1000, after: $after) {
      edges { node { id name labels device { lastHeartbeat site { name } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

interface CamerasAnswer {
  readonly dataSources: Edges<DataSourceNode> & {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

interface DataSourceNode {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[] | null;
  readonly device: { readonly lastHeartbeat: string | null; readonly site: { readonly name: string } | null } | null;
}

export async function askCameras(requests: Requests, signal: AbortSignal): Promise<readonly ListedCamera[]> {
  const cameras: ListedCamera[] = [];
  let after: string | null = null;
  do {
    const { dataSources }: CamerasAnswer = await requests.ask<CamerasAnswer>(CAMERAS, { after }, signal);
    cameras.push(...dataSources.edges.map(({ node }) => listed(node)));
    after = dataSources.pageInfo.hasNextPage ? dataSources.pageInfo.endCursor : null;
  } while (after !== null);
  return cameras;
}

const listed = ({ id, name, labels, device }: DataSourceNode): ListedCamera => ({
  id,
  name,
  labels: labels ?? [],
  site: device?.site?.name,
  lastHeartbeat: device?.lastHeartbeat ? Date.parse(device.lastHeartbeat) : undefined,
});
