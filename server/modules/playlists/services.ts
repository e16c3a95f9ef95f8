import type { FileViewDeps } from "../files/deps.ts";
import { createPlaylistItems } from "./playlist-items.ts";
import { createPlaylists } from "./playlists.ts";

export const createPlaylistServices = (deps: FileViewDeps) => ({ playlists: createPlaylists(deps), playlistItems: createPlaylistItems(deps) });

export type PlaylistServices = ReturnType<typeof createPlaylistServices>;
