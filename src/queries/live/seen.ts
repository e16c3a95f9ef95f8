/** The projects whose newest messages are being looked at: what arrives there is read as it comes and never counts as unread. */
export const viewedProjectIds: Set<number> = new Set();
