/** Wire records of metadata: templates of a team, which are named groups of fields, and the values that files have for them. All of them are extensions. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { id, line, text, timestamp } from "./text.ts";

export const METADATA_FIELD_TYPES = ["text", "number", "choice", "date", "person", "isrc", "checkbox"] as const;
export type MetadataFieldType = (typeof METADATA_FIELD_TYPES)[number];
export const metadataFieldType = z.enum(METADATA_FIELD_TYPES);

export const METADATA_FILE_KINDS = ["audio", "video", "image", "document"] as const;
export const metadataFileKind = z.enum(METADATA_FILE_KINDS);

/** Tags that every format of a download can carry; other names become custom tags. */
export const STANDARD_TAGS = ["title", "artist", "album", "composer", "isrc", "genre", "date", "comment", "bpm", "key"] as const;

export const metadataName = line(LIMITS.metadata_name_characters);
export const metadataHelp = text(LIMITS.metadata_help_characters);
/** Printable ASCII without "=", as Vorbis comments require of names. */
export const metadataTag = z.string().check(
  z.minLength(1),
  z.maxLength(60),
  z.refine((tag) => /^[ -<>-}]+$/.test(tag), { message: "must be printable ASCII without =" }),
);

/** An option of a choice. Values refer to `id`, so that renaming an option keeps them. */
export const metadataOption = z.looseObject({ id: z.string(), name: z.string() });

export const metadataField = z.looseObject({
  object: z.literal("metadata_field"),
  id,
  template_id: id,
  name: z.string(),
  /** Fixed when the field is created. */
  type: metadataFieldType,
  /** Of a choice, in order; empty for other types. */
  options: z.array(metadataOption),
  /** "" without one. */
  help: z.string(),
  /** The tag that carries the value in a download with metadata, one of `STANDARD_TAGS` or a custom name; null: none. */
  tag: z.nullable(z.string()),
});

/** Applies to every file of the team's projects, or to those of `kinds`. */
export const metadataTemplate = z.looseObject({
  object: z.literal("metadata_template"),
  id,
  team_id: id,
  name: z.string(),
  /** null: files of every kind. */
  kinds: z.nullable(z.array(metadataFileKind)),
  /** In order. */
  fields: z.array(metadataField),
  created_at: timestamp,
  /** Increases with each change, also of a field. */
  revision: z.int(),
});

/** `value_count`: how many files lost a value. Until `restorable_until` the same id restores everything. */
export const metadataDeletion = z.looseObject({ id, value_count: z.int(), restorable_until: timestamp });

/**
 * How many values files show: those that are not deleted and of a kind that the template is for. A file has at most one value of a field, so the count of a
 * field or an option is also that of its files. Those of options include deleted files that can be restored, because removing an option is final.
 */
export const metadataUsage = z.looseObject({
  template_id: id,
  value_count: z.int(),
  /** Files with at least one of the values. */
  file_count: z.int(),
  fields: z.array(z.looseObject({ field_id: id, value_count: z.int(), options: z.array(z.looseObject({ id: z.string(), value_count: z.int() })) })),
});

/**
 * Text, a number, the id of a choice's option, a day such as "2026-03-02", a person's account id, an ISRC as "CC-XXX-YY-NNNNN", or true for a checked box.
 * A box that is not checked has no value.
 */
export const metadataValue = z.union([z.string(), z.number(), z.boolean()]);
/** Values by field id; fields without a value are left out. */
export const metadataValues = z.record(z.string(), metadataValue);
/** null: the field has no value. */
export const metadataChanges = z.record(z.string(), z.nullable(metadataValue));

/** The values of one file. They belong to the file, so that a new version keeps them. */
export const fileMetadata = z.looseObject({
  object: z.literal("file_metadata"),
  file_id: id,
  project_id: id,
  values: metadataValues,
  /** Increases with each change: of two records, the one with the higher revision is newer. 0: nothing was ever set. */
  revision: z.int(),
});

/** Says that the metadata of a file is now at this revision, and not with which values. */
export const fileMetadataRevision = z.looseObject({ object: z.literal("file_metadata_revision"), file_id: id, project_id: id, revision: z.int() });

/** Values that the tags of the current version propose for fields with the same tag and without this value. */
export const metadataSuggestions = z.looseObject({ file_id: id, values: metadataValues });

/** Live event: `values` has the fields that changed; null: the field has no value now. */
export const metadataUpdate = z.looseObject({ file_id: id, project_id: id, revision: z.int(), values: metadataChanges });

const issue = z.looseObject({ line: z.int(), column: z.nullable(z.string()), message: z.string() });
/** What an import changes, or with `dry_run` would change. Nothing is changed if there are errors. */
export const metadataImport = z.looseObject({
  dry_run: z.boolean(),
  /** Rows of files, without the header. */
  row_count: z.int(),
  /** Files with at least one change. */
  changed_file_count: z.int(),
  changed_value_count: z.int(),
  /** Columns that are no field of the project's templates; they are ignored. */
  unknown_columns: z.array(z.string()),
  /** The first ones, by line; `column`: the column's heading, null for the whole line. */
  errors: z.array(issue),
  /** How many there are. */
  error_count: z.int(),
  /** Stands for all changes with the values that they replace: an import with `if_digest` is refused if it is no longer the same. */
  digest: z.optional(z.string()),
  /** With `dry_run`: the first changes, by line. `former_values`: those that the file has now; null for none. */
  changes: z.array(z.looseObject({ line: z.int(), file_id: id, path: z.string(), values: metadataChanges, former_values: z.optional(metadataChanges) })),
});

export const METADATA_OPERATORS = ["is", "contains", "one_of", "range", "empty", "not_empty"] as const;
export type MetadataOperator = (typeof METADATA_OPERATORS)[number];

export type MetadataOption = z.infer<typeof metadataOption>;
export type MetadataField = z.infer<typeof metadataField>;
export type MetadataTemplate = z.infer<typeof metadataTemplate>;
export type MetadataDeletion = z.infer<typeof metadataDeletion>;
export type MetadataUsage = z.infer<typeof metadataUsage>;
export type MetadataValue = z.infer<typeof metadataValue>;
export type MetadataValues = z.infer<typeof metadataValues>;
export type MetadataChanges = z.infer<typeof metadataChanges>;
export type FileMetadata = z.infer<typeof fileMetadata>;
export type FileMetadataRevision = z.infer<typeof fileMetadataRevision>;
export type MetadataUpdate = z.infer<typeof metadataUpdate>;
export type MetadataSuggestions = z.infer<typeof metadataSuggestions>;
export type MetadataImport = z.infer<typeof metadataImport>;
