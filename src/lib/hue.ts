/** A stable colour of the 12-colour palette for anything with an id. */

/** A colour of the wire as palette index 0-11; a service may know more colours than this page. */
export const paletteIndex = (color: number): number => ((color % 12) + 12) % 12;

/** Palette index 0-11. Neighbouring ids get colours far apart (7 is coprime to 12). */
export const hueOf = (id: number): number => paletteIndex(id * 7);
