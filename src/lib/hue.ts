/** Picks a stable color from the 12-color palette for any id. */

/** Maps a color number of the API to a palette index 0-11, because a service may define more colors than this page. */
export const paletteIndex = (color: number): number => ((color % 12) + 12) % 12;

/** Returns a palette index 0-11. Neighboring ids get distant colors, because 7 is coprime to 12. */
export const hueOf = (id: number): number => paletteIndex(id * 7);

/** Returns the palette index of a project or group: the color that somebody has chosen, else that of its id. */
export const hueOfItem = ({ id, color }: { id: number; color?: number | null | undefined }): number =>
  color === null || color === undefined ? hueOf(id) : paletteIndex(color);
