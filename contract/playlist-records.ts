/** Wire records of playlists, ordered lists of audio files, all of them extensions. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { attachment } from "./records.ts";
import { id, line, timestamp, withDescription } from "./text.ts";

export const playlistName = line(LIMITS.playlist_name_characters);
export const playlistGap = withDescription(z.int().check(z.minimum(0), z.maximum(LIMITS.playlist_gap_ms)), "silence between two tracks in milliseconds");

/** A playlist belongs to a project, and everybody in that project sees it; its files may be of other projects of the same team. */
export const playlist = z.looseObject({
  object: z.literal("playlist"),
  id,
  name: z.string(),
  project_id: id,
  team_id: id,
  gap_ms: z.int(),
  created_by_account_id: id,
  created_at: timestamp,
  /** When the playlist or its list of files last changed. */
  updated_at: timestamp,
  /** Increases with each change, also of the list of files. */
  revision: z.int(),
  /**
   * These three depend on the reader, who may not see every project whose files the playlist has. Live events omit them. `duration`: seconds, with the
   * gaps between the tracks. `hidden_item_count`: files in projects that the reader does not see.
   */
  item_count: z.optional(z.int()),
  duration: z.optional(z.number()),
  hidden_item_count: z.optional(z.int()),
});

/** A file in a playlist. Files that were deleted, or that the reader does not see, are left out. */
export const playlistItem = z.looseObject({
  object: z.literal("playlist_item"),
  id,
  playlist_id: id,
  project_id: id,
  /** The version that always plays; null: the newest one. */
  pinned_version: z.nullable(z.int()),
  /** The number of the newest version. */
  newest_version: z.int(),
  added_by_account_id: id,
  added_at: timestamp,
  /** The file in the version that plays. */
  file: attachment,
});

export type Playlist = z.infer<typeof playlist>;
export type PlaylistItem = z.infer<typeof playlistItem>;
