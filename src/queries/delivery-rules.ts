/** The cache key below which a team's delivery rules and the checks of its files are. */
export const DELIVERY_RULES_KEY = ["delivery-rules"] as const;
