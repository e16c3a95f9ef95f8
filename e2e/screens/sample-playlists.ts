/** Creates a playlist of an album's mixes, one of them pinned and gapless, and shares it in the chat. */
import { sendMessage } from "../../contract/operations/chat.ts";
import { listFiles } from "../../contract/operations/files-view.ts";
import { listPlaylistItems, updatePlaylistItem } from "../../contract/operations/playlists.ts";
import { call, type Person } from "../fixtures/api.ts";
import { writePlaylist } from "../fixtures/playlists.ts";

const TRACKS = 6;

export async function createSamplePlaylist(ana: Person, projectId: number): Promise<number> {
  const query = { kind: "audio", deep: "true", sort: "name" } as const;
  const files = (await call(ana, listFiles, { params: { project_id: projectId }, query })).data.filter(({ duration }) => duration > 20);
  const { id } = await writePlaylist(
    ana,
    { id: projectId },
    "Running order, first draft",
    files.slice(0, TRACKS).map((file) => file.id),
  );
  await writePlaylist(
    ana,
    { id: projectId },
    "For the label",
    files.slice(0, 2).map((file) => file.id),
    2_000,
  );
  const [, second] = (await call(ana, listPlaylistItems, { params: { playlist_id: id } })).data;
  if (second) await call(ana, updatePlaylistItem, { params: { playlist_id: id, item_id: second.id }, body: { version: 1 } });
  await call(ana, sendMessage, { body: { project_id: projectId, body: "The order as I hear it now:", playlist_id: id } });
  return id;
}
