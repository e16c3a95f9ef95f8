/** The metadata template of the story, and the values of its songs. */
import type { MetadataFieldType } from "../../../../contract/metadata-records.ts";
import type { AssetName } from "../assets.ts";

interface ReleaseField {
  name: string;
  type: MetadataFieldType;
  options?: { name: string }[];
  help?: string;
  tag?: string;
}

export const RELEASE_FIELDS = [
  { name: "Title", type: "text", tag: "title" },
  { name: "Artist", type: "text", tag: "artist" },
  { name: "Mix", type: "choice", options: [{ name: "Main" }, { name: "Instrumental" }, { name: "Radio edit" }] },
  { name: "Genre", type: "choice", options: [{ name: "Synthwave" }, { name: "Downtempo" }, { name: "Ballad" }], tag: "genre" },
  { name: "Tempo", type: "number", help: "In beats per minute, as the label asks for it.", tag: "bpm" },
  { name: "ISRC", type: "isrc", tag: "isrc" },
  { name: "Release date", type: "date", tag: "date" },
  { name: "Mix engineer", type: "person" },
  { name: "Samples cleared", type: "checkbox" },
] as const satisfies readonly ReleaseField[];

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
    Genre: "Synthwave",
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
    Genre: "Synthwave",
    Tempo: 128,
    ISRC: "SE-PL7-26-00002",
    "Mix engineer": "ben",
    "Samples cleared": true,
  },
  { file: "halogen", Title: "Halogen", Artist: ARTIST, Mix: "Main", Genre: "Downtempo", "Mix engineer": "leo" },
  { file: "moon", Title: "Paper Moon", Artist: ARTIST, Mix: "Main", Genre: "Ballad", "Samples cleared": true },
];
