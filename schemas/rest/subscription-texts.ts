// Descriptions of members that bodies and answers about subscriptions and replays have in common.
export const filterTexts = {
  datasource_ids: "Passes signals of these data sources",
  tags: "Passes tracks with these tags, compared without case. Not for activity_chronicle",
  zone_ids: "Passes these zones. For zone_state only",
  site_ids: "Passes data sources whose device is at one of these sites, and chronicles of these sites",
  chronicle_ids: "Passes these chronicles. For activity_chronicle only",
  producer_ids: "Passes chronicles of these producers. For activity_chronicle only",
  tag_ids: "Passes chronicles that are linked to these tags. For activity_chronicle only",
  point_of_interest_ids: "Passes chronicles of these points of interest. For activity_chronicle only",
  labels: "Passes chronicles with these labels, compared without case. For activity_chronicle only",
  locations: "Passes chronicles with these locations, compared without case. For activity_chronicle only",
  statuses: "Passes chronicles with these statuses, compared without case. For activity_chronicle only",
  priorities: "Passes chronicles with these priorities, compared without case. For activity_chronicle only",
} as const;

const TRACKS = "track_state: track_created, track_updated and track_expired";
const ZONES = "zone_state: zone_occupied, zone_updated and zone_empty";

export const signalTexts = {
  mode:
    "streaming: a delivery for each signal. " +
    "batch: a delivery for all track_expired signals of an interval, with the tracks' interactions",
  signal_type: `${TRACKS}, in batches track_expired only. ${ZONES}. activity_chronicle: the signals of \`trigger_on\``,
  replayed_type: `${TRACKS}, in batches track_expired only. ${ZONES}, not in batches`,
  zone_emit_mode:
    "Choice of zone_updated signals. all: every one. " +
    "composition: one when the number of tracks of a tag has changed, and heartbeats",
  heartbeat_seconds:
    "For composition: an unchanged zone sends its next update when this many seconds of event time have passed " +
    "since its last signal",
  batch_interval: "For batches: seconds from the first signal of a batch to its delivery; a full batch goes earlier",
  pixel_proximity_threshold: "For batches: tracks whose boxes are at most this many pixels apart interact",
  geo_proximity_threshold_m: "For batches: tracks whose positions are at most this many metres apart interact",
  trigger_on: "For activity_chronicle: the signals that are sent",
  workflow: "Repeated in the `trigger_config` of deliveries",
  secret: "Signs the deliveries (Standard Webhooks). No other answer shows it",
} as const;
