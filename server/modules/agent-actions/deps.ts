import type { ModuleDeps } from "../../access/deps.ts";
import type { ConversationServices } from "../conversation/services.ts";
import type { FileServices } from "../files/services.ts";
import type { MetadataServices } from "../metadata/services.ts";
import type { PlaylistServices } from "../playlists/services.ts";
import type { StatusServices } from "../statuses/services.ts";
import type { TaskServices } from "../tasks/services.ts";

export type AgentActionDeps = Pick<ModuleDeps, "database" | "events" | "clock">;

/** The services that do the reverse of an action, as a person's requests do. */
export type ReverseServices = Pick<ConversationServices, "messageChanges" | "commentChanges"> &
  Pick<TaskServices, "tasks"> &
  Pick<FileServices, "entries" | "moving" | "deleting" | "restoring" | "tagCorrections"> &
  Pick<StatusServices, "fileStatuses"> &
  Pick<PlaylistServices, "playlists"> &
  Pick<MetadataServices, "metadataValues">;
