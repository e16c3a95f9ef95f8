/** Routes of playlists and their items. */
import * as playlists from "../../../contract/operations/playlists.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { NewItem } from "./new-items.ts";
import { presentPlaylist, presentPlaylistItem, type PlaylistView } from "./presenter.ts";
import type { PlaylistServices } from "./services.ts";

const presentResponse = (view: PlaylistView) => single("playlist", presentPlaylist(view));
const toNewItems = (items: readonly { file_id: number; version?: number | null | undefined }[]): NewItem[] =>
  items.map(({ file_id, version }) => ({ fileId: file_id, version: version ?? null }));

export function registerPlaylistRoutes(route: Route, { playlists: service, playlistItems }: PlaylistServices): void {
  route(playlists.listPlaylists, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await service.list(actor, { projectId: query.project_id ?? null, fileId: query.file_id ?? null }, after, limit);
    return list(page.playlists.map(presentPlaylist), { next_cursor: encodeCursor(page.next) });
  });
  route(playlists.createPlaylist, async ({ actor, body, idempotencyKey }) => {
    const input = { projectId: body.project_id, name: body.name, gapMs: body.gap_ms ?? 0, items: toNewItems(body.items ?? []) };
    return presentResponse(await service.create(actor, input, idempotencyKey));
  });
  route(playlists.getPlaylist, async ({ actor, params }) => presentResponse(await service.get(actor, params.playlist_id)));
  route(playlists.updatePlaylist, async ({ actor, params, body }) =>
    presentResponse(await service.update(actor, params.playlist_id, { name: body.name, gapMs: body.gap_ms })),
  );
  route(playlists.deletePlaylist, ({ actor, params }) => service.remove(actor, params.playlist_id).then(() => undefined));
  route(playlists.restorePlaylist, async ({ actor, params }) => presentResponse(await service.restore(actor, params.playlist_id)));
  route(playlists.duplicatePlaylist, async ({ actor, params, body, idempotencyKey }) =>
    presentResponse(await service.duplicate(actor, params.playlist_id, body.name, idempotencyKey)),
  );

  route(playlists.listPlaylistItems, async ({ actor, params }) => list((await playlistItems.list(actor, params.playlist_id)).map(presentPlaylistItem)));
  route(playlists.addPlaylistItems, async ({ actor, params, body, idempotencyKey }) =>
    list((await playlistItems.add(actor, params.playlist_id, toNewItems(body.items), body.before_item_id ?? null, idempotencyKey)).map(presentPlaylistItem)),
  );
  route(playlists.movePlaylistItems, async ({ actor, params, body }) =>
    presentResponse(await playlistItems.move(actor, params.playlist_id, body.item_ids, body.before_item_id)),
  );
  route(playlists.removePlaylistItems, async ({ actor, params, body }) =>
    presentResponse(await playlistItems.remove(actor, params.playlist_id, body.item_ids)),
  );
  route(playlists.updatePlaylistItem, async ({ actor, params, body }) =>
    single("playlist_item", presentPlaylistItem(await playlistItems.pin(actor, params.playlist_id, params.item_id, body.version))),
  );
}
