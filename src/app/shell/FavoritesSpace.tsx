import { useClient } from "../../client/client.ts";

/** Takes the height that favorites and recent items last had, until they are loaded, so that the projects below them stay where they are. */
export function FavoritesSpace() {
  const { serviceStorage } = useClient();
  return <div style={{ height: Number(serviceStorage.get("favorites-height")) }} />;
}
