/** Placeholders for the assets of the demo, because audio rendering has its own tests. */
import type { AssetName } from "./assets.ts";

const isSong = (name: AssetName): boolean => !["notes", "cover", "moonCover", "still"].includes(name);
/** Begins like the file that it stands for, so that it is stored as audio if that is. */
export const placeholder = (name: AssetName): Buffer => Buffer.from(`${isSong(name) ? "RIFF\x10\0\0\0WAVEfmt " : ""}This stands for ${name}.`);
