/** A badge: the service stops counting at 100, so that and more is "99+". */
export const formatBadge = (value: number) => (value > 99 ? "99+" : String(value));
