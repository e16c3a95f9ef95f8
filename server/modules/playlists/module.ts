/** Playlists: ordered lists of audio files. */
import type { ServiceModule } from "../../http/module.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { createPlaylistItems, type PlaylistItems } from "./playlist-items.ts";
import { createPlaylists, type Playlists } from "./playlists.ts";
import { eraseDeletedPlaylists } from "./retention.ts";
import { registerPlaylistRoutes } from "./routes.ts";

export interface PlaylistServices {
  playlists: Playlists;
  playlistItems: PlaylistItems;
}

export function createPlaylistsModule(deps: FileViewDeps): ServiceModule<PlaylistServices> {
  const services = { playlists: createPlaylists(deps), playlistItems: createPlaylistItems(deps) };
  return {
    services,
    features: ["playlists"],
    register({ route }) {
      registerPlaylistRoutes(route, services);
      return { "erase deleted playlists": () => eraseDeletedPlaylists(deps) };
    },
  };
}
