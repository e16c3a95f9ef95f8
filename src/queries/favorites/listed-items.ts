/** Describes projects, files, playlists and messages as favorites and recent items list them. */
import type { ListedItem } from "../../../contract/favorite-records.ts";
import type { EntryKind } from "../../../contract/file-records.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import type { Message, Project } from "../../../contract/records.ts";

export const projectItem = ({ id, name }: Pick<Project, "id" | "name">): ListedItem => ({ type: "project", id, project_id: id, project_name: name, name });

export const fileItem = ({ id, name, project_id, kind }: { id: number; name: string; project_id: number; kind: EntryKind }, projectName = ""): ListedItem => ({
  type: "file",
  id,
  project_id,
  project_name: projectName,
  name,
  kind,
});

export const playlistItem = ({ id, name, project_id }: Pick<Playlist, "id" | "name" | "project_id">, projectName = ""): ListedItem => ({
  type: "playlist",
  id,
  project_id,
  project_name: projectName,
  name,
});

/** Until the service responds, the name of the message has no names of mentioned people. */
export const messageItem = (
  { id, chat_id, account_id, body, is_audio_message, attachments }: Message,
  projectName: string,
  authorName: string,
): ListedItem => ({
  type: "message",
  id,
  project_id: chat_id,
  project_name: projectName,
  name: body,
  account_id,
  account_name: authorName,
  is_audio_message,
  attachment_name: attachments[0]?.name ?? null,
});

/** Returns the address of the page that shows the item. */
export function itemPath({ type, id, project_id, kind }: Pick<ListedItem, "type" | "id" | "project_id" | "kind">): string {
  switch (type) {
    case "project":
      return `/projects/${id}/chat`;
    case "file":
      return kind === "folder" ? `/projects/${project_id}/files/${id}` : `/files/${id}`;
    case "playlist":
      return `/playlists/${id}`;
    case "message":
      return `/projects/${project_id}/chat/${id}`;
  }
}
