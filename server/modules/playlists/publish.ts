/** Stores the change of a playlist with its live event. */
import type { Row, Tx } from "../../db/schema.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import type { Clock } from "../../lib/clock.ts";
import { presentPlaylist } from "./presenter.ts";

interface PublishDeps {
  events: EventLog;
  clock: Clock;
}

/** Appends the event with what every reader may know. */
export async function publishPlaylist(tx: Tx, events: EventLog, type: "playlist.created" | "playlist.updated", playlist: Row<"playlists">): Promise<void> {
  const { team_id } = await tx.selectFrom("projects").select("team_id").where("id", "=", playlist.project_id).executeTakeFirstOrThrow();
  await events.append(tx, topicOf.project(playlist.project_id), type, presentPlaylist({ playlist, teamId: team_id, counts: null }));
}

/** Sets the columns, increases the revision and appends `playlist.updated`. The caller has locked the project. */
export async function changePlaylist(
  tx: Tx,
  { events, clock }: PublishDeps,
  id: number,
  set: Partial<Pick<Row<"playlists">, "name" | "gap_ms">> = {},
): Promise<Row<"playlists">> {
  const playlist = await tx
    .updateTable("playlists")
    .set((eb) => ({ ...set, revision: eb("revision", "+", 1), updated_at: clock.now() }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await publishPlaylist(tx, events, "playlist.updated", playlist);
  return playlist;
}
