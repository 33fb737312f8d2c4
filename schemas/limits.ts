export const limits = {
  /** 9999-12-31T23:59:59.999Z, the last instant that ISO 8601 writes with four digits of year. */
  maxTimestampMs: 253_402_300_799_999,
  /**
   * Coordinates of polygons, in pixels or degrees. Products of several of them still have all digits that geometry
   * needs, and never overflow.
   */
  maxCoordinate: 1e9,
  maxMetadataBytes: 64 * 1024,
  /**
   * Only the API checks this depth. It is far below the one at which JSON.stringify fails, which differs between
   * processes.
   */
  maxMetadataDepth: 100,
  maxIdLength: 255,
  maxTextLength: 1_024,
  /** All texts of a track's properties together. */
  maxPropertiesBytes: 64 * 1024,
  /** Attributes of one track. Filters check each, and memory holds all of them for every known track. */
  maxAttributes: 256,
  /** Texts in one list of a caller's input. Only the API checks it. */
  maxTexts: 1_000,
  /** Tags in the catalog. Without this limit a caller could make a new one with every track. */
  maxTags: 10_000,
  /** A crs is a name in most cases. Its bytes and its depth are limited like those of metadata. */
  maxCrsBytes: 1_024,
  maxCrsDepth: 10,
} as const;
