/** Marks router states of URLs that only record the playback position: the page seeks to it after a reload, not on navigation. */

/** Returns whether the URL of this router state only records the position. The user may have sought since it was recorded. */
export function hasRecordedPosition(state: unknown): boolean {
  const { isPositionRecorded, keepPosition } = (state ?? {}) as { isPositionRecorded?: boolean; keepPosition?: boolean };
  // History entries that an earlier version of this client wrote say `keepPosition`.
  return isPositionRecorded === true || keepPosition === true;
}

/** Returns the router state of a URL that only records the position. */
export const withRecordedPosition = (state: unknown): object => ({ ...(state as object | null), isPositionRecorded: true });
