/** Wire records of an account's favorites and recent items, all of them extensions and seen by nobody else. */
import * as z from "zod/mini";
import { entryKind } from "./file-records.ts";
import { id, timestamp } from "./text.ts";

export const RECENT_TYPES = ["project", "file", "playlist"] as const;
export const FAVORITE_TYPES = [...RECENT_TYPES, "message"] as const;
export const RECENT_ACTIONS = ["opened", "played"] as const;

/** What a list shows of a project, file or folder, playlist or message. */
export const listedItem = z.looseObject({
  type: z.enum(FAVORITE_TYPES),
  id,
  project_id: id,
  project_name: z.string(),
  /** Of a message the beginning of its text with the names of mentioned people, of up to about 200 characters; "" if it has none. */
  name: z.string(),
  /** Of files and folders. */
  kind: z.optional(entryKind),
  /** These are of messages: the author, whose name is null if you do not see the person, and the name of the first attachment. */
  account_id: z.optional(id),
  account_name: z.optional(z.nullable(z.string())),
  is_audio_message: z.optional(z.boolean()),
  attachment_name: z.optional(z.nullable(z.string())),
});

export const favorite = z.looseObject({ object: z.literal("favorite"), id, item: listedItem, created_at: timestamp });

/** `opened_at`, `played_at`: when the account last did so; one of them is set. */
export const recentItem = z.looseObject({
  object: z.literal("recent_item"),
  id,
  item: listedItem,
  opened_at: z.nullable(timestamp),
  played_at: z.nullable(timestamp),
});

export type FavoriteType = (typeof FAVORITE_TYPES)[number];
export type RecentType = (typeof RECENT_TYPES)[number];
export type RecentAction = (typeof RECENT_ACTIONS)[number];
export type ListedItem = z.infer<typeof listedItem>;
export type Favorite = z.infer<typeof favorite>;
export type RecentItem = z.infer<typeof recentItem>;
