/** Writer of this service's messages. */
export const SOURCE = "tracklog/webhooks";
