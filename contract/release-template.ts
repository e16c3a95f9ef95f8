/** The template with which a team can begin: what a distributor asks for. */
import type { MetadataFieldType } from "./metadata-records.ts";

interface ReleaseField {
  name: string;
  type: MetadataFieldType;
  options?: readonly { name: string }[];
  help?: string;
  tag?: string;
}

export const RELEASE_TEMPLATE = "Release";

export const RELEASE_FIELDS = [
  { name: "Title", type: "text", tag: "title" },
  { name: "Artist", type: "text", tag: "artist" },
  { name: "Mix", type: "choice", options: [{ name: "Main" }, { name: "Instrumental" }, { name: "Radio edit" }] },
  {
    name: "Genre",
    type: "choice",
    options: [{ name: "Pop" }, { name: "Rock" }, { name: "Electronic" }, { name: "Hip-hop" }, { name: "Classical" }],
    tag: "genre",
  },
  { name: "Tempo", type: "number", help: "In beats per minute.", tag: "bpm" },
  { name: "ISRC", type: "isrc", tag: "isrc" },
  { name: "Release date", type: "date", tag: "date" },
  { name: "Mix engineer", type: "person" },
  { name: "Samples cleared", type: "checkbox" },
] as const satisfies readonly ReleaseField[];

/** Returns the fields as a request body has them. */
export const releaseFields = () =>
  (RELEASE_FIELDS as readonly ReleaseField[]).map(({ options, ...field }) => ({ ...field, ...(options && { options: [...options] }) }));
