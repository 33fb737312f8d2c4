// The list of all record kinds that clients write and query.
import type { ResolverMap } from "../../graphql/schema.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { imageInApi } from "./image.ts";
import { measurementInApi } from "./measurement.ts";
import type { ApiKindTopic, RecordInApi } from "./record-in-api.ts";
import { videoInApi } from "./video.ts";

const recordsInApi: { readonly [T in ApiKindTopic]: RecordInApi } = {
  measurements: measurementInApi,
  images: imageInApi,
  videos: videoInApi,
};

const kinds = Object.values(recordsInApi);

export const recordQueries: ResolverMap[string] = Object.assign({}, ...kinds.map(({ queries }) => queries));
export const recordTypes: ResolverMap = Object.assign({}, ...kinds.map(({ types }) => types));
export const recordMutations = (deps: MutationDeps): ReturnType<RecordInApi["mutations"]> =>
  Object.assign({}, ...kinds.map(({ mutations }) => mutations(deps)));
