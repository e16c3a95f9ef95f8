/** The position as the address keeps it: `t`, in seconds. Where it stands beside a comment, it is the position that leads. */

export const floorToTenths = (seconds: number): string => (Math.floor(seconds * 10 + 1e-6) / 10).toFixed(1);

/** The query once the sound rests at `position`. */
export function withPosition(search: string, position: number): URLSearchParams {
  const query = new URLSearchParams(search);
  query.set("t", floorToTenths(position));
  return query;
}

/** The query of a link to `position`: what the page was opened for is not meant. */
export function withPositionOnly(search: string, position: number): URLSearchParams {
  const query = withPosition(search, position);
  query.delete("comment");
  return query;
}
