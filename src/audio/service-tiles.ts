import { getPeaksRange } from "../api/files.ts";
import { PeakTiles, type Pyramid } from "./peak-tiles.ts";

/** Creates tiles of the service's peaks; `onChange` is called when more can be drawn. */
export const createServiceTiles = (pyramid: Pyramid, onChange: () => void): PeakTiles =>
  new PeakTiles(pyramid, (url, from, to, signal) => getPeaksRange(url, from, to, { signal }), onChange);
