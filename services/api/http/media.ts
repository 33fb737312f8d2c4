// Serves the media of the local folder. A link is all that a client needs; without one, no client can find out whether
// a medium exists.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../schemas/errors.ts";
import { type LinkClaim, type Links, MEDIA_ROUTE } from "../../common/media/links.ts";
import type { ByteRange, MediaStore, OpenMedium } from "../../common/media/store.ts";
import { contentTypeOf, UNKNOWN_TYPE } from "../../common/media/types.ts";
import { byteRange } from "./byte-range.ts";
import type { BodyIntake } from "./intake.ts";

export interface MediaServing {
  readonly store: MediaStore;
  readonly links: Links;
  readonly intake: Pick<BodyIntake, "received">;
  readonly now: () => number;
}

/** A client that has taken nothing for this long counts as gone; it can request the rest. */
const IDLE_MS = 120_000;

/** No content of a medium may run as a page of the API's origin, no matter who uploaded it. */
const HEADERS = {
  "accept-ranges": "bytes",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "referrer-policy": "no-referrer",
};

type MediaRequest = FastifyRequest<{ Params: { "*": string }; Querystring: LinkClaim }>;

export function serveMedia(app: FastifyInstance, { store, links, intake, now }: MediaServing): void {
  const downloads = new Set<FastifyReply>();

  async function handler(request: MediaRequest, reply: FastifyReply): Promise<FastifyReply> {
    // A download has no body and may last for hours, so it must not count against the intake's budget.
    intake.received(request.raw);
    const path = request.params["*"];
    const verdict = await links.verify(path, request.query, now());
    if (verdict !== "good") throw new AppError("FORBIDDEN", `the link ${FLAWS[verdict]}`);
    const medium = await store.open(path);
    if (medium === undefined) throw new AppError("NOT_FOUND", "the medium does not exist");
    downloads.add(reply);
    reply.raw.once("close", () => downloads.delete(reply));
    return answer(path, medium, request, reply);
  }

  app.route({ method: ["GET", "HEAD"], url: `${MEDIA_ROUTE}*`, handler });
  // A server that stops waits for its answers. A download may take much longer than that, so it is cut off.
  app.addHook("preClose", async () => {
    for (const { raw } of downloads) raw.destroy();
  });
}

const FLAWS = { expired: "has expired", forged: "is not one of ours" } as const;

async function answer(path: string, medium: OpenMedium, request: MediaRequest, reply: FastifyReply) {
  const { bytes, tag } = medium;
  const type = contentTypeOf(path);
  reply.headers({ ...HEADERS, "content-type": type, ...(tag === undefined ? {} : { etag: `"${tag}"` }) });
  if (type === UNKNOWN_TYPE) reply.header("content-disposition", "attachment");
  const range = rangeOf(request, medium);
  if (range === "unsatisfiable") {
    await medium.close();
    return reply.code(416).header("content-range", `bytes */${bytes}`).send();
  }
  const length = range === undefined ? bytes : range.last - range.first + 1;
  if (range !== undefined) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${bytes}`);
  reply.header("content-length", length);
  if (request.method === "HEAD" || length === 0) {
    await medium.close();
    return reply.send();
  }
  reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy());
  return reply.send(await medium.read(range));
}

/**
 * Ranges are for GET only. A client that names another version of the medium in If-Range gets the whole of this one.
 * @returns undefined when the answer is the whole medium.
 */
function rangeOf(request: MediaRequest, { bytes, tag }: OpenMedium): ByteRange | "unsatisfiable" | undefined {
  const version = request.headers["if-range"];
  const isOther = version !== undefined && version !== `"${tag}"`;
  return request.method === "HEAD" || isOther ? undefined : byteRange(request.headers.range, bytes);
}
