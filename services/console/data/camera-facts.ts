// Facts about a camera that its scene does not have.

import type { Ring } from "../picture/view.ts";
import { resolvedMedia } from "./media.ts";
import type { Requests } from "./requests.ts";

const CAMERA = /* GraphQL */ `
  query Camera($id: ID!) {
    dataSource(id: $id) {
      name
      labels
      device {
        lastHeartbeat
        calibrations { id }
        site { name geofences { id name active bounds { polygon { coordinates } } } }
      }
    }
    images(
      filter: { dataSourceId: { eq: $id }, timestamp: { attributeExists: true } }
      first: 1
      sort: [{ field: TIMESTAMP, direction: DESC }]
    ) {
      edges { node { url timestamp } }
    }
  }
`;

interface CameraAnswer {
  readonly dataSource: {
    readonly name: string;
    readonly labels: readonly string[] | null;
    readonly device: {
      readonly lastHeartbeat: string | null;
      readonly calibrations: readonly { readonly id: string }[];
      readonly site: { readonly name: string; readonly geofences: readonly GeofenceNode[] } | null;
    } | null;
  } | null;
  readonly images: {
    readonly edges: readonly { readonly node: { readonly url: string; readonly timestamp: string } }[];
  };
}

interface GeofenceNode {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly bounds: { readonly polygon: { readonly coordinates: readonly Ring[] } };
}

export interface PlanGeofence {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  /** In degrees: longitude and latitude. */
  readonly rings: readonly Ring[];
}

export interface CameraFacts {
  readonly name: string;
  readonly labels: readonly string[];
  readonly site: string | undefined;
  readonly lastHeartbeat: number | undefined;
  readonly isCalibrated: boolean;
  readonly geofences: readonly PlanGeofence[];
  /** The newest image of the camera. */
  readonly image: { readonly url: string; readonly at: number } | undefined;
}

/** @returns undefined when there is no such camera. */
export async function askCameraFacts(
  requests: Requests,
  id: string,
  signal: AbortSignal,
): Promise<CameraFacts | undefined> {
  const { dataSource, images } = await requests.ask<CameraAnswer>(CAMERA, { id }, signal);
  if (dataSource === null) return undefined;
  const { name, labels, device } = dataSource;
  const image = images.edges[0]?.node;
  return {
    name,
    labels: labels ?? [],
    site: device?.site?.name,
    lastHeartbeat: device?.lastHeartbeat ? Date.parse(device.lastHeartbeat) : undefined,
    isCalibrated: (device?.calibrations.length ?? 0) > 0,
    geofences: (device?.site?.geofences ?? []).map(({ id, name, active, bounds }) => ({
      id,
      name,
      isActive: active,
      rings: bounds.polygon.coordinates,
    })),
    image: image && { url: resolvedMedia(image.url), at: Date.parse(image.timestamp) },
  };
}
