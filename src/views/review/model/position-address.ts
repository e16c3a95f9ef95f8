/** Writes the position to the URL as `t` in seconds. If the URL also names a comment, `t` determines the position. */

export const floorToTenths = (seconds: number): string => (Math.floor(seconds * 10 + 1e-6) / 10).toFixed(1);

/** Returns the query for playback at rest at `position`. */
export function withPosition(search: string, position: number): URLSearchParams {
  const query = new URLSearchParams(search);
  query.set("t", floorToTenths(position));
  return query;
}

/** Returns the query of a link to `position`, without the comment the page was opened for. */
export function withPositionOnly(search: string, position: number): URLSearchParams {
  const query = withPosition(search, position);
  query.delete("comment");
  return query;
}
