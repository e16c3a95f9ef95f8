/** Marks router states of file pages whose URL only records the playback position, so that opening them does not seek. */

/** Returns whether a URL only records the position, so that it seeks only after a reload: the user may have sought since it was recorded. */
export const keepsPosition = (state: unknown): boolean => (state as { keepPosition?: boolean } | null)?.keepPosition === true;

/** Returns the router state of a URL that only records the position. */
export const withKeptPosition = (state: unknown): object => ({ ...(state as object | null), keepPosition: true });
