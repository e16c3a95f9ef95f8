/** The metadata of the story's songs. */
import type { RELEASE_FIELDS } from "../../../../contract/release-template.ts";
import type { AssetName } from "../assets.ts";

export type ReleaseFieldName = (typeof RELEASE_FIELDS)[number]["name"];

/** Values of a file: a choice by the name of its option, a person by the key in the story. */
export type ReleaseValues = { file: AssetName } & Partial<Record<ReleaseFieldName, string | number | boolean>>;

/** The release day of the EP, of which the story speaks. */
const RELEASE_DAY = "03-12";

/** Returns the next release day after `now`. */
export function releaseDate(now: number): string {
  const year = new Date(now).getUTCFullYear();
  return Date.parse(`${year}-${RELEASE_DAY}`) > now ? `${year}-${RELEASE_DAY}` : `${year + 1}-${RELEASE_DAY}`;
}

const ARTIST = "Mia Lindqvist";
export const NIGHTDRIVE_RELEASE: readonly ReleaseValues[] = [
  {
    file: "v1",
    Title: "Nightdrive",
    Artist: ARTIST,
    Mix: "Main",
    Genre: "Electronic",
    Tempo: 128,
    ISRC: "SE-PL7-26-00001",
    "Mix engineer": "ben",
    "Samples cleared": true,
  },
  {
    file: "instrumental",
    Title: "Nightdrive (Instrumental)",
    Artist: ARTIST,
    Mix: "Instrumental",
    Genre: "Electronic",
    Tempo: 128,
    ISRC: "SE-PL7-26-00002",
    "Mix engineer": "ben",
    "Samples cleared": true,
  },
  { file: "halogen", Title: "Halogen", Artist: ARTIST, Mix: "Main", Genre: "Electronic", "Mix engineer": "leo" },
  { file: "moon", Title: "Paper Moon", Artist: ARTIST, Mix: "Main", Genre: "Pop", "Samples cleared": true },
];
