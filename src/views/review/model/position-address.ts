/** The position as the address keeps it: `t`, in seconds. Where it stands beside a comment, it is the position that leads. */

export const tenths = (seconds: number): string => (Math.floor(seconds * 10 + 1e-6) / 10).toFixed(1);

/** The query once the sound rests at `position`. */
export function atPosition(search: string, position: number): URLSearchParams {
  const query = new URLSearchParams(search);
  query.set("t", tenths(position));
  return query;
}

/** The query of a link to `position`: what the page was opened for is not meant. */
export function positionAlone(search: string, position: number): URLSearchParams {
  const query = atPosition(search, position);
  query.delete("comment");
  return query;
}
