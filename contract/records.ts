/**
 * Wire records. Numbers such as "2.5" are sections of the service document: the published description of the API that v1 and v2 follow, which is not
 * part of this repository. Documented records keep its members and spelling and may have additional optional members; the rest are extensions.
 */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { id, timestamp } from "./text.ts";

const tagScores = z.array(z.tuple([z.string(), z.number()]));

/** 2.5; `is_final` is an extension: files with this status are finished, so guests add no versions to them. */
export const fileStatus = z.looseObject({ id, title: z.string(), color: z.int(), position: z.int(), is_final: z.optional(z.boolean()) });

/**
 * A team's statuses in order. New uploads start with `default_status_id`. If `new_version_resets_status`, a new version resets a file's status to
 * that one, or to the first if there is none.
 */
export const fileStatusList = z.looseObject({
  object: z.literal("list"),
  data: z.array(fileStatus),
  default_status_id: z.optional(z.nullable(id)),
  new_version_resets_status: z.optional(z.boolean()),
});

/** Amplitude values, 0 to 1. A `null`, which stands for a missing number, is read as silence. */
// oxlint-disable-next-line promise/valid-params -- a schema, no promise
const wave = z.array(z.catch(z.number(), 0));

/** Extension: the square cover picture embedded in an audio file, as small WebP; absent without one and until processing has found it. */
const coverUrl = z.string();

/** 2.3; everything after `thumbnail` is an extension. `kind` determines how the attachment is shown, `version` is the version that was sent. */
export const attachment = z.looseObject({
  id,
  name: z.string(),
  size: z.int(),
  url: z.string(),
  compressed_file_url: z.nullable(z.string()),
  /**
   * Depends on the reader: the reader's own value in responses that read messages and in the response to `sendMessage`, false in live events and in all
   * other responses to changes. Clients take the value from responses that read and keep it otherwise.
   */
  has_unread_comments: z.boolean(),
  is_blind_drop: z.boolean(),
  is_shared: z.boolean(),
  transcoding_status: z.string(),
  duration: z.optional(z.number()),
  stills_url: z.optional(z.string()),
  thumbnail_url: z.optional(z.string()),
  thumbnail: z.optional(z.string()),
  version: z.optional(z.int()),
  kind: z.optional(z.string()),
  /** Why processing failed, as readable text; null unless it failed. */
  failure: z.optional(z.nullable(z.string())),
  /** The file was deleted; the message that carries it remains. */
  deleted: z.optional(z.boolean()),
  /** Status of the file, whichever version was sent. */
  status: z.optional(z.nullable(fileStatus)),
  audio: z.optional(
    z.looseObject({
      duration: z.number(),
      wave,
      bpm: z.number(),
      key: z.nullable(z.string()),
      /** The most likely key if the analysis is not sure; absent if `key` is set. */
      unsure_key: z.optional(z.string()),
      status: z.nullable(fileStatus),
      cover_url: z.optional(coverUrl),
    }),
  ),
});

export const reaction = z.looseObject({ emoji: z.string(), account_ids: z.array(id) });

/** The message that a reply quotes. `excerpt`: the first 200 characters of its body; "" once deleted. */
export const quote = z.looseObject({
  id,
  account_id: id,
  excerpt: z.string(),
  /** Accounts mentioned in the excerpt, as in `mentions`. */
  mentions: z.array(id),
  deleted: z.boolean(),
  is_audio_message: z.boolean(),
  /** Name of the first attachment. */
  attachment_name: z.nullable(z.string()),
  /** Duration of a voice note in seconds; null for other messages and before processing. */
  audio_duration: z.optional(z.nullable(z.number())),
});

/** Current state of the comment that a message shows; `excerpt` is "" once the comment or its file is deleted. */
export const sharedComment = z.looseObject({
  id,
  file_id: id,
  file_name: z.string(),
  version: z.int(),
  /** For a reply: the position of its parent comment. */
  position_ms: z.nullable(z.int()),
  end_ms: z.nullable(z.int()),
  account_id: id,
  /** The first 200 characters. */
  excerpt: z.string(),
  deleted: z.boolean(),
});

/** Extension: the playlist that a message shows; `name` is "" once the playlist is deleted. */
export const messagePlaylist = z.looseObject({ id, name: z.string(), deleted: z.boolean() });

/** 2.2; everything after `attachments` is an extension. */
export const message = z.looseObject({
  id,
  chat_id: id,
  account_id: id,
  body: z.string(),
  datetime: timestamp,
  edited: z.boolean(),
  is_audio_message: z.boolean(),
  type: z.string(),
  parent_message_id: z.nullable(id),
  parent_chat_id: z.nullable(id),
  parent_account_id: z.nullable(id),
  attachments: z.array(attachment),
  client_id: z.optional(z.nullable(z.string())),
  /** Increases with each change: of two records, the one with the higher revision is newer. Clients ignore a record whose revision they already have. */
  revision: z.optional(z.int()),
  deleted: z.optional(z.boolean()),
  edited_at: z.optional(z.nullable(timestamp)),
  reactions: z.optional(z.array(reaction)),
  /** Mentioned members of the project, as `<@id>` in the body. */
  mentions: z.optional(z.array(id)),
  /** Current state of the message that this one replies to; null if this is no reply. */
  parent: z.optional(z.nullable(quote)),
  /** Set if the message shows a comment; `body` then names file and time, for clients that do not know this field. */
  comment: z.optional(z.nullable(sharedComment)),
  /** Set if the message shows a playlist. */
  playlist: z.optional(z.nullable(messagePlaylist)),
});

/** 2.4 `ai_tags` */
export const aiTags = z.looseObject({
  bpm: z.number(),
  genres: tagScores,
  instruments: tagScores,
  moods: tagScores,
  key: z.array(z.string()),
  /** Extension: what the analysis is not sure of, most likely first, while `bpm` is 0 or `key` is empty. */
  bpm_candidates: z.optional(z.array(z.number())),
  key_candidates: z.optional(z.array(z.string())),
});

/** 2.4 `common` */
export const fileCommon = z.looseObject({
  id,
  name: z.string(),
  size: z.int(),
  url: z.string(),
  compressed_file_url: z.nullable(z.string()),
  account_id: id,
  project_id: id,
  file_team_id: id,
  is_blind_drop: z.boolean(),
  is_shared: z.boolean(),
  status: z.nullable(fileStatus),
  transcoding_status: z.string(),
  /** Extension. Depends on the reader: set where `common` is part of the file's info, omitted in other responses. */
  has_unread_comments: z.optional(z.boolean()),
  /** Extension: the folders above the file, from the top, without the project's root folder. Set where `common` is part of the file's info. */
  folders: z.optional(z.array(z.looseObject({ id, name: z.string() }))),
});

/** 2.4 `file_info`, audio variant; the document spells `number_of_chanels` this way. */
export const audioFileInfo = z.looseObject({
  object: z.literal("audio_file_info"),
  annotations: z.string(),
  audio_encoding: z.nullable(z.string()),
  bitrate: z.string(),
  bits_per_sample: z.int(),
  bpm: z.number(),
  duration: z.number(),
  key: z.nullable(z.string()),
  number_of_chanels: z.int(),
  number_of_samples: z.int(),
  samplerate: z.int(),
  wave,
  /** Extension: whether somebody set `bpm` or `key` by hand. `ai_tags` keeps the result of the analysis. */
  corrected: z.optional(z.looseObject({ bpm: z.boolean(), key: z.boolean() })),
  cover_url: z.optional(coverUrl),
});

/** Extension: `file_info` for other kinds of files. Fields that do not apply are omitted. */
export const nonAudioFileInfo = z.looseObject({
  object: z.enum(["video_file_info", "image_file_info", "document_file_info", "folder_info"]),
  duration: z.optional(z.number()),
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  /** Waveform of a video's audio track. */
  wave: z.optional(wave),
});
/** 2.4 */
export const fileInfoResponse = z.looseObject({ ai_tags: aiTags, common: fileCommon, file_info: z.union([audioFileInfo, nonAudioFileInfo]) });

/** Extension: a file or folder as `ls` lists it; webhook events carry the same fields. */
export const fileRecord = z.looseObject({
  object: z.literal("file"),
  id,
  name: z.string(),
  is_folder: z.boolean(),
  parent_id: z.nullable(id),
  size: z.int(),
  url: z.string(),
  removal_protection: z.boolean(),
  task_load_protection: z.boolean(),
  team_id: id,
});
export const fileVersion = z.looseObject({
  id,
  number: z.int(),
  size: z.int(),
  url: z.string(),
  account_id: id,
  created_at: timestamp,
  transcoding_status: z.string(),
});
export const statusChange = z.looseObject({
  id,
  old_status: z.nullable(fileStatus),
  new_status: fileStatus,
  note: z.string(),
  changed_by_account_id: id,
  change_status_time: timestamp,
});
/** Levels from fine to coarse; `samples_per_pixel` refers to `sample_rate`, `length` is in pixels. */
export const peaksInfo = z.looseObject({
  version: z.int(),
  channels: z.int(),
  sample_rate: z.int(),
  duration: z.number(),
  levels: z.array(z.looseObject({ samples_per_pixel: z.int(), length: z.int(), bytes: z.int(), url: z.string() })),
});
/** `urls`: a URL for each copy that the version has, by variant, so that one request serves all views of a file. */
export const signedUrl = z.looseObject({ url: z.string(), urls: z.optional(z.record(z.string(), z.string())), expires_at: timestamp });

/** Ordered by power: each role can do everything that the roles after it can do. */
export const ROLES = ["owner", "admin", "member", "guest"] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

export const organisation = z.looseObject({ id, name: z.string() });
/** `days`: 1 is Monday, 7 is Sunday. `start` and `end` are times such as "09:30"; hours that end before they start last until the next day. */
export const workingHours = z.looseObject({ days: z.array(z.int()), start: z.string(), end: z.string() });
/** `avatar_url`: the picture in medium size; with `&size=small` or `&size=large` in another one. It changes with the picture. */
export const account = z.looseObject({
  id,
  username: z.string(),
  email: z.string(),
  avatar_url: z.nullable(z.string()),
  user_info: z.string(),
  /** Name in the IANA database. */
  time_zone: z.optional(z.nullable(z.string())),
  /** Language tag (BCP 47) by which the person reads dates and numbers. */
  locale: z.optional(z.nullable(z.string())),
  /** In `time_zone`. */
  working_hours: z.optional(z.nullable(workingHours)),
  /** Extension: the account of a program, which is marked wherever it speaks; absent for people. Its `email` is "". */
  is_agent: z.optional(z.boolean()),
});
/** A person on the members page. `last_seen_at` is null before the first sign-in. */
export const member = z.looseObject({
  ...account.shape,
  role,
  disabled: z.boolean(),
  created_at: timestamp,
  last_seen_at: z.nullable(timestamp),
  project_ids: z.array(id),
});
/** `new_version_resets_status`: whether a new version resets a file's status. */
export const team = z.looseObject({ id, name: z.string(), organisation_id: id, role, new_version_resets_status: z.optional(z.boolean()) });
/** The color of a project or group, as an index into the palette of the statuses; null: the interface chooses one. */
export const colorInput = z.optional(z.nullable(z.int().check(z.nonnegative(), z.maximum(LIMITS.file_status_colors - 1))));
export const paletteColor = z.optional(z.nullable(z.int()));

/** `created_by_account_id`: null for a group of a version that did not keep it. */
export const group = z.looseObject({
  id,
  name: z.string(),
  description: z.string(),
  team_id: id,
  color: paletteColor,
  created_by_account_id: z.optional(z.nullable(id)),
});
/** null: the account does not follow the project (an admin who never opened it), so nothing is unread; 0: nothing read yet. */
export const lastReadMessageId = z.nullable(z.int().check(z.nonnegative()));
/** `unread_count` stops at 100 and is shown as "99+". */
export const project = z.looseObject({
  id,
  team_id: id,
  group_id: z.nullable(id),
  name: z.string(),
  description: z.string(),
  root_folder_id: z.nullable(id),
  created_at: timestamp,
  role,
  unread_count: z.int(),
  last_message_id: z.nullable(id),
  last_read_message_id: lastReadMessageId,
  /** Unread messages that mention the reader; stops at 100. */
  mention_count: z.optional(z.int()),
  color: paletteColor,
  created_by_account_id: z.optional(id),
  /** Since when it is archived, and nobody can change anything in it; null: it is not. */
  archived_at: z.optional(z.nullable(timestamp)),
});
export const projectMember = z.looseObject({ ...account.shape, role, added_at: timestamp });
export const readMarker = z.looseObject({ project_id: id, last_read_message_id: lastReadMessageId, unread_count: z.int(), mention_count: z.optional(z.int()) });
/** Somebody's read marker in a project's chat, visible to everybody in the project. */
export const memberReadMarker = z.looseObject({ account_id: id, last_read_message_id: id, moved_at: timestamp });

export const service = z.looseObject({
  name: z.string(),
  version: z.string(),
  features: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
  /** True until the first owner exists. */
  setup_required: z.boolean(),
});

/** RFC 9457. */
export const problem = z.looseObject({
  object: z.literal("error"),
  type: z.optional(z.string()),
  status: z.int(),
  title: z.string(),
  detail: z.optional(z.string()),
  request_id: z.optional(z.string()),
  errors: z.optional(z.array(z.looseObject({ path: z.string(), message: z.string() }))),
  /** On an `if_status_id` mismatch: the file's current status. */
  current_status: z.optional(z.nullable(fileStatus)),
  /** On an `if_values` mismatch of metadata: the file's current values. */
  current_values: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  /** Where a change of a metadata field would remove values: how many. */
  lost_value_count: z.optional(z.int()),
  /** On a sign-in that fits accounts in several organizations: those to choose from. */
  organisations: z.optional(z.array(organisation)),
  /** On the consent of an app: leads back to the app with the error. */
  return_url: z.optional(z.string()),
});

export type SharedComment = z.infer<typeof sharedComment>;
export type FileStatus = z.infer<typeof fileStatus>;
export type FileInfoResponse = z.infer<typeof fileInfoResponse>;
export type AudioFileInfo = z.infer<typeof audioFileInfo>;
export type AiTags = z.infer<typeof aiTags>;
export type FileCommon = z.infer<typeof fileCommon>;
export type FileRecord = z.infer<typeof fileRecord>;
export type FileVersion = z.infer<typeof fileVersion>;
export type StatusChange = z.infer<typeof statusChange>;
export type PeaksInfo = z.infer<typeof peaksInfo>;
export type Attachment = z.infer<typeof attachment>;
export type MessagePlaylist = z.infer<typeof messagePlaylist>;
export type Message = z.infer<typeof message>;
export type Quote = z.infer<typeof quote>;
export type Reaction = z.infer<typeof reaction>;
export type Organisation = z.infer<typeof organisation>;
export type Account = z.infer<typeof account>;
export type Member = z.infer<typeof member>;
export type Team = z.infer<typeof team>;
export type Group = z.infer<typeof group>;
export type Project = z.infer<typeof project>;
export type ProjectMember = z.infer<typeof projectMember>;
export type ReadMarker = z.infer<typeof readMarker>;
export type MemberReadMarker = z.infer<typeof memberReadMarker>;
export type Service = z.infer<typeof service>;
export type Problem = z.infer<typeof problem>;
