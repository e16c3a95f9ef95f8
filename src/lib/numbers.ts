/** Formats a badge count: 100 and more become "99+", because the service stops counting at 100. */
export const formatBadge = (value: number) => (value > 99 ? "99+" : String(value));
