// A listener of the live fold that raises the signals of subscriptions.
import type { LiveListener, SourceListener } from "../../live/listener.ts";
import { restoreCompositions } from "./compositions.ts";
import { closeFrame } from "./frame.ts";
import { raiseDetection, raiseEnd } from "./raise-tracks.ts";
import { raiseCut, raiseZones } from "./raise-zones.ts";
import type { SignalContext } from "./signal-context.ts";
import type { SourceSubscribers } from "./subscribers.ts";
import { restoreEncounters } from "./track-encounters.ts";

export function createSignalListener(subscriptions: SourceSubscribers): LiveListener {
  return {
    of(fold, dataSourceId) {
      const subscribers = subscriptions.of(dataSourceId);
      return subscribers === undefined ? undefined : listenWith({ fold, subscribers, frame: undefined });
    },
    restoreTrack: restoreEncounters,
    restoreZone: restoreCompositions,
  };
}

const listenWith = (context: SignalContext): SourceListener => ({
  frameOver: (nextAt) => closeFrame(context, nextAt),
  seen: (track, before, begins) => raiseDetection(context, track, before, begins),
  ended: (track, before, expiredBy) => raiseEnd(context, track, before, expiredBy),
  tagged: (track, zones, tagBefore) => raiseZones(context, track, { before: zones, isDetection: false, tagBefore }),
  zoneCut: (zone, left) => raiseCut(context, zone, left),
});
