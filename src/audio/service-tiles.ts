import { getPeaksRange } from "../api/files.ts";
import { PeakTiles, type Pyramid } from "./peak-tiles.ts";

/** Tiles of the service's peaks. `onChange` calls back when there is more to draw by. */
export const createServiceTiles = (pyramid: Pyramid, onChange: () => void): PeakTiles =>
  new PeakTiles(pyramid, (url, from, to, signal) => getPeaksRange(url, from, to, { signal }), onChange);
