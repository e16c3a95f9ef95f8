/** A stable colour of the 12-colour palette for anything with an id. */

/** Palette index 0-11. Neighbouring ids get colours far apart (7 is coprime to 12). */
export function hueOf(id: number): number {
  return (((id * 7) % 12) + 12) % 12;
}
