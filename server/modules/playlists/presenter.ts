/** Presents playlists and their items as wire records, for responses and live events. */
import type * as wire from "../../../contract/playlist-records.ts";
import type { Attachment } from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso } from "../../lib/iso-time.ts";

/** Counts that depend on which files the reader sees. */
export interface PlaylistCounts {
  items: number;
  hiddenItems: number;
  /** Seconds, without gaps. */
  duration: number;
}

export interface PlaylistView {
  playlist: Row<"playlists">;
  teamId: number;
  /** Null where the record goes to everybody. */
  counts: PlaylistCounts | null;
}

export interface PlaylistItemView {
  item: Row<"playlist_items">;
  projectId: number;
  pinnedVersion: number | null;
  newestVersion: number;
  file: Attachment;
}

const presentCounts = ({ items, hiddenItems, duration }: PlaylistCounts, gapMs: number) => ({
  item_count: items,
  duration: duration + (Math.max(0, items - 1) * gapMs) / 1_000,
  hidden_item_count: hiddenItems,
});

export const presentPlaylist = ({ playlist, teamId, counts }: PlaylistView): wire.Playlist => ({
  object: "playlist",
  id: playlist.id,
  name: playlist.name,
  project_id: playlist.project_id,
  team_id: teamId,
  gap_ms: playlist.gap_ms,
  created_by_account_id: playlist.created_by,
  created_at: iso(playlist.created_at),
  updated_at: iso(playlist.updated_at),
  revision: playlist.revision,
  ...(counts && presentCounts(counts, playlist.gap_ms)),
});

export const presentPlaylistItem = ({ item, projectId, pinnedVersion, newestVersion, file }: PlaylistItemView): wire.PlaylistItem => ({
  object: "playlist_item",
  id: item.id,
  playlist_id: item.playlist_id,
  project_id: projectId,
  pinned_version: pinnedVersion,
  newest_version: newestVersion,
  added_by_account_id: item.added_by,
  added_at: iso(item.added_at),
  file,
});
