/** Published key profiles: how strongly each of the twelve pitch classes sounds in a key. */
import { standardize } from "./pitch-classes.ts";

/** Twelve weights starting at the tonic, scaled to zero mean and unit length. */
export interface KeyProfiles {
  major: Float64Array;
  minor: Float64Array;
}

const createProfiles = (major: readonly number[], minor: readonly number[]): KeyProfiles => ({ major: standardize(major), minor: standardize(minor) });

/** A. Faraldo et al., "Key estimation in electronic dance music" (ECIR 2016). */
export const EDMA = createProfiles(
  [1, 0.2875, 0.502, 0.4048, 0.605, 0.5614, 0.3205, 0.7966, 0.3159, 0.4506, 0.4202, 0.3889],
  [1, 0.3096, 0.4415, 0.5827, 0.3262, 0.4948, 0.2889, 0.7804, 0.4328, 0.2903, 0.5331, 0.3217],
);

/** C. Krumhansl and E. Kessler, "Tracing the dynamic changes in perceived tonal organization" (1982). */
export const KRUMHANSL = createProfiles(
  [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
);

const blend = (a: Float64Array, b: Float64Array): Float64Array => standardize(a.map((value, i) => value + b[i]!));

/** Equal blend of the two best profiles on labeled songs: one derived from club music, the other from listening experiments. */
export const BLENDED: KeyProfiles = { major: blend(EDMA.major, KRUMHANSL.major), minor: blend(EDMA.minor, KRUMHANSL.minor) };
