/** Numbers through Intl. */
const count = new Intl.NumberFormat("en");

/** 1234 -> "1,234" */
export const formatCount = (value: number) => count.format(value);

/** A badge: the service stops counting at 100, so that and more is "99+". */
export const formatBadge = (value: number) => (value > 99 ? "99+" : String(value));
