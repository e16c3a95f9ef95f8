/** Limits of metadata templates, filled with the longest records. */
import type { Operation } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { NewRow, Tx } from "../../db/schema.ts";
import type { Fixtures } from "../fixtures.ts";
import { range } from "./fill.ts";
import type { LimitCase } from "./limited-lists.ts";
import { byCursor, type ListCase } from "./paged-lists.ts";

const FIRST_TEMPLATE = 700_000;
const FIRST_FIELD = 710_000;
const FIELDS_EACH = LIMITS.metadata_fields_per_team / LIMITS.metadata_templates_per_team;
const OPTIONS_EACH = LIMITS.metadata_options_per_team / LIMITS.metadata_fields_per_team;
const long = (characters: number, index: number): string => "\u{1F3B5}".repeat(characters - 6) + String(index).padStart(6, "0");

/** Replaces the team's templates by as many templates, fields and options as it can have. */
async function fill(tx: Tx, { home, owner }: Fixtures): Promise<void> {
  await tx.updateTable("metadata_templates").set({ deleted_at: 1 }).where("team_id", "=", home.team).where("id", "<", FIRST_TEMPLATE).execute();
  const templates = range(LIMITS.metadata_templates_per_team, (index): NewRow<"metadata_templates"> & { id: number } => {
    const name = long(LIMITS.metadata_name_characters, index);
    const id = FIRST_TEMPLATE + index;
    return {
      id,
      team_id: home.team,
      name,
      name_key: name,
      kinds: '["audio","video","image","document"]',
      position: index,
      created_by: owner.id,
      created_at: 1,
    };
  });
  const fields = range(LIMITS.metadata_fields_per_team, (index): NewRow<"metadata_fields"> & { id: number } => {
    const name = long(LIMITS.metadata_name_characters, index);
    const options = range(OPTIONS_EACH, (option) => ({ id: "x".repeat(12), name: long(LIMITS.metadata_option_characters, option) }));
    const rest = { help: long(LIMITS.metadata_help_characters, index), tag: "x".repeat(60), options: JSON.stringify(options), type: "choice" as const };
    return { id: FIRST_FIELD + index, template_id: FIRST_TEMPLATE + Math.floor(index / FIELDS_EACH), name, name_key: name, position: index, ...rest };
  });
  await tx
    .insertInto("metadata_templates")
    .values(templates)
    .onConflict((on) => on.doNothing())
    .execute();
  await tx
    .insertInto("metadata_fields")
    .values(fields)
    .onConflict((on) => on.doNothing())
    .execute();
}

export const METADATA_LIMITS: [string, LimitCase][] = [
  [
    "listMetadataTemplates",
    {
      limit: LIMITS.metadata_templates_per_team,
      fill,
      list: [operations.listMetadataTemplates, ({ home }) => ({ params: { team_id: home.team } })],
      create: [operations.createMetadataTemplate, ({ home }) => ({ params: { team_id: home.team }, body: { name: "One more" } })],
      denial: /^A team can have at most 20 metadata templates\. Delete one first\.$/,
    },
  ],
  [
    "metadata fields of a team",
    {
      limit: LIMITS.metadata_fields_per_team,
      fill,
      create: [operations.createMetadataField, () => ({ params: { template_id: FIRST_TEMPLATE }, body: { name: "One more", type: "text" } })],
      denial: /^The metadata templates of a team can have at most 200 fields together\. Delete one first\.$/,
    },
  ],
  [
    "options of a team's metadata fields",
    {
      limit: LIMITS.metadata_options_per_team,
      fill,
      create: [
        operations.updateMetadataField,
        () => ({ params: { field_id: FIRST_FIELD }, body: { options: range(OPTIONS_EACH + 1, (index) => ({ name: `Option ${index}` })) } }),
      ],
      denial: /^The metadata fields of a team can have at most 1,000 options together\. Remove some first\.$/,
    },
  ],
];

const RECORDS = 20;
const LONG_FIELD = 720_000;

/** Gives files a value of the greatest length in each field of a template. */
async function fillValues(tx: Tx, { home, owner }: Fixtures): Promise<number[]> {
  const template = { team_id: home.team, name: "Long", name_key: "long", kinds: null, position: 1, created_by: owner.id, created_at: 1 };
  const { id } = await tx.insertInto("metadata_templates").values(template).returning("id").executeTakeFirstOrThrow();
  const fields = range(LIMITS.metadata_fields_per_template, (index) => LONG_FIELD + index);
  await tx
    .insertInto("metadata_fields")
    .values(fields.map((field) => ({ id: field, template_id: id, name: `${field}`, name_key: `${field}`, type: "text" as const, tag: null, position: field })))
    .execute();
  const file = { project_id: home.project, parent_id: home.root, is_folder: 0 as const, created_by: owner.id, created_at: 1, kind: "document" as const };
  const files = await tx
    .insertInto("files")
    .values(range(RECORDS, (index) => ({ ...file, name: `long ${index}`, name_key: `long ${index}` })))
    .returning("id")
    .execute();
  const value = JSON.stringify("\u{1F3B5}".repeat(LIMITS.metadata_text_characters / 2));
  const row = { project_id: home.project, value, match_text: "", sort_number: 0, sort_text: "", updated_by: owner.id, updated_at: 1 };
  for (const { id: file_id } of files)
    await tx
      .insertInto("metadata_values")
      .values(fields.map((field_id) => ({ ...row, file_id, field_id })))
      .execute();
  return files.map((created) => created.id);
}

export const METADATA_CASES: [string, Operation, ListCase][] = [
  [
    "listFileMetadata",
    operations.listFileMetadata,
    {
      records: RECORDS,
      async prepare(tx, fixtures) {
        const ids = await fillValues(tx, fixtures);
        return byCursor({ params: { project_id: fixtures.home.project }, query: { file_ids: ids.join(",") } }, "query", LIMITS.history_max);
      },
    },
  ],
];
