/** The keys of Western music, spelled as musicians do: what the analysis says, and what somebody may put in its place. */
const MAJOR = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"] as const;
const MINOR = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"] as const;

export const MUSIC_KEYS = [...MAJOR.map((tonic) => `${tonic} major` as const), ...MINOR.map((tonic) => `${tonic} minor` as const)] as const;
export type MusicKey = (typeof MUSIC_KEYS)[number];
