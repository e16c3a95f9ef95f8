/** Musical keys in musicians' spelling: the values that the analysis returns and that a user can set by hand. */

const MAJOR = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"] as const;
const MINOR = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"] as const;

export const MUSIC_KEYS = [...MAJOR.map((tonic) => `${tonic} major` as const), ...MINOR.map((tonic) => `${tonic} minor` as const)] as const;
export type MusicKey = (typeof MUSIC_KEYS)[number];
