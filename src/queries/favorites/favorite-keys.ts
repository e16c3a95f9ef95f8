/** Query keys of favorites and recent items; apart from their queries, so that live updates load no schemas. */
export const favoriteKeys = {
  favorites: ["favorites"] as const,
  recent: ["recent-items"] as const,
};
