export const limits = {
  /** 9999-12-31T23:59:59.999Z, the last instant that ISO 8601 writes with four digits of year. */
  maxTimestampMs: 253_402_300_799_999,
  /** Of polygons, in pixels or degrees. Products of several of them still have all digits that geometry needs, and never overflow. */
  maxCoordinate: 1e9,
  maxMetadataBytes: 64 * 1024,
  /** Only the API checks it. Far below the depth at which JSON.stringify fails, which differs between processes. */
  maxMetadataDepth: 100,
  maxIdLength: 255,
  maxTextLength: 1_024,
  /** All texts of a track's properties together. */
  maxPropertiesBytes: 64 * 1024,
  /** Of one track. Filters look at each, and all of them are in memory for every track that is known. */
  maxAttributes: 256,
  /** For callers of the API only: texts of one list. */
  maxTexts: 1_000,
  /** In the catalog. A caller could make a new one with every track. */
  maxTags: 10_000,
  /** The same of a crs, which is a name in most cases. */
  maxCrsBytes: 1_024,
  maxCrsDepth: 10,
} as const;
