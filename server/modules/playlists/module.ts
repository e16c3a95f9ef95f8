/** Playlists: ordered lists of audio files. */
import type { ServiceModule } from "../../http/module.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { eraseDeletedPlaylists } from "./retention.ts";
import { registerPlaylistRoutes } from "./routes.ts";
import { createPlaylistServices, type PlaylistServices } from "./services.ts";

export function createPlaylistsModule(deps: FileViewDeps): ServiceModule<PlaylistServices> {
  const services = createPlaylistServices(deps);
  return {
    services,
    features: ["playlists"],
    register({ route }) {
      registerPlaylistRoutes(route, services);
      return { "erase deleted playlists": () => eraseDeletedPlaylists(deps) };
    },
  };
}
