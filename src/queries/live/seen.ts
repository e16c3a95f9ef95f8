/** Projects whose newest messages the user is looking at, so that arriving messages count as read at once. */
export const viewedProjectIds: Set<number> = new Set();
