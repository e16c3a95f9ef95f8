/** Tables of playlists. */
import type { Generated } from "kysely";

export interface PlaylistTables {
  playlists: {
    id: Generated<number>;
    project_id: number;
    /** Empty once a deleted playlist can no longer be restored. */
    name: string;
    gap_ms: Generated<number>;
    revision: Generated<number>;
    created_by: number;
    created_at: number;
    updated_at: number;
    deleted_at: Generated<number | null>;
  };
  playlist_items: {
    id: Generated<number>;
    playlist_id: number;
    /** Starts at 0 within the playlist. */
    position: number;
    file_id: number;
    /** The pinned version; null: the file's current one. */
    version_id: number | null;
    added_by: number;
    added_at: number;
  };
}
