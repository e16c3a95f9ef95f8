/** Returns the values that occur in a project's files, for the filter menus. */
import { type RawBuilder, sql } from "kysely";
import type { EntryKind } from "../../../contract/file-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { type JsonText, single } from "../../http/responses.ts";
import type { FileViewDeps } from "./deps.ts";
import { resolveFolder } from "./listing.ts";
import { foldersBelow } from "./page-query.ts";
import { presentFileStatus, type StatusSummary } from "./presenter.ts";

const MAX_TAGS = 200;
/** Different tags of a project up to which jumping from tag to tag is faster than reading all of them in one scan. */
const MAX_JUMPS = 1_000;

type FacetCounts<T> = { value: T; count: number }[];
export interface Facets {
  kinds: FacetCounts<EntryKind>;
  statuses: FacetCounts<StatusSummary | null>;
  keys: FacetCounts<string>;
  tags: FacetCounts<string>;
  uploaders: FacetCounts<number>;
  bpm: { min: number; max: number } | null;
}

interface Group {
  kind: EntryKind;
  status_id: number | null;
  music_key: string | null;
  uploader_id: number;
  count: number;
  bpm_min: number | null;
  bpm_max: number | null;
}

function countBy<T>(groups: readonly Group[], pick: (group: Group) => T): FacetCounts<T> {
  const counts = new Map<T, number>();
  for (const group of groups) counts.set(pick(group), (counts.get(pick(group)) ?? 0) + group.count);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}

type TagCounts = FacetCounts<string>;

/** Counts the tags in `source`, most frequent first. `file_tags` holds only tags of files that are not deleted. */
async function countTags(read: Db, source: RawBuilder<unknown>): Promise<TagCounts> {
  const { rows } = await sql<TagCounts[number]>`select file_tags.tag as value, count(*) as count
    from ${source} group by file_tags.tag order by 2 desc, 1 limit ${MAX_TAGS}`.execute(read);
  return rows;
}

/**
 * Counts the tags of a project by jumping from each to the next in the primary key of `file_tags`. On SQLite that takes 60 % of the time of grouping all its
 * rows, on PostgreSQL as long. Where there are too many different tags for that, it groups.
 */
async function countTagsOfProject(read: Db, projectId: number): Promise<TagCounts> {
  const { rows } = await sql<TagCounts[number]>`with recursive tags (tag, number) as (
      select min(file_tags.tag), 1 from file_tags where file_tags.project_id = ${projectId}
      union all
      select (select min(file_tags.tag) from file_tags where file_tags.project_id = ${projectId} and file_tags.tag > tags.tag), tags.number + 1
      from tags where tags.tag is not null and tags.number <= ${MAX_JUMPS}
    )
    select tags.tag as value, (select count(*) from file_tags where file_tags.project_id = ${projectId} and file_tags.tag = tags.tag) as count
    from tags where tags.tag is not null order by 2 desc, 1`.execute(read);
  return rows.length > MAX_JUMPS ? countTags(read, sql`file_tags where file_tags.project_id = ${projectId}`) : rows.slice(0, MAX_TAGS);
}

export function createFacets({ database, pageTexts }: Pick<FileViewDeps, "database" | "pageTexts">) {
  /** Counts the files in the folder, at any depth. */
  async function countFacets(project: Row<"projects">, folder: number): Promise<Facets> {
    const { backgroundRead: read } = database;
    const isProject = folder === project.root_folder_id;
    // Of a project, one scan of the index `files_facets`, in which each group is contiguous. Of a folder, all its files are read.
    const inScope = isProject ? sql`project_id = ${project.id}` : sql`parent_id in (${foldersBelow(folder)})`;
    const { rows: groups } = await sql<Group>`select kind, status_id, music_key, uploader_id, count(*) as count,
        min(case when bpm > 0 then bpm end) as bpm_min, max(case when bpm > 0 then bpm end) as bpm_max
      from files where ${inScope} and is_folder = 0 and deleted_at is null
      group by kind, status_id, music_key, uploader_id`.execute(read);
    const tags = isProject
      ? await countTagsOfProject(read, project.id)
      : await countTags(read, sql`files cross join file_tags where ${inScope} and files.deleted_at is null and file_tags.file_id = files.id`);
    const statuses = await read
      .selectFrom("file_statuses")
      .select(["id", "title", "color", "position", "is_final"])
      .where("team_id", "=", project.team_id)
      .where("deleted_at", "is", null)
      .orderBy("position")
      .orderBy("id")
      .execute();
    const countByStatus = new Map(countBy(groups, (group) => group.status_id).map(({ value, count }) => [value, count]));
    const tempos = groups.flatMap(({ bpm_min, bpm_max }) => (bpm_min === null || bpm_max === null ? [] : [bpm_min, bpm_max]));
    return {
      kinds: countBy(groups, ({ kind }) => kind),
      statuses: [...statuses, null].flatMap((status) => {
        const count = countByStatus.get(status?.id ?? null);
        return count === undefined ? [] : [{ value: status, count }];
      }),
      keys: countBy(groups, (group) => group.music_key).flatMap(({ value, count }) => (value === null ? [] : [{ value, count }])),
      tags,
      uploaders: countBy(groups, (group) => group.uploader_id),
      bpm: tempos.length === 0 ? null : { min: Math.min(...tempos), max: Math.max(...tempos) },
    };
  }

  return {
    /** Returns the response to `getFileFacets`. `folderId`: counts only what is in this folder, at any depth; null: in the whole project. */
    async facetsText(actor: Actor, projectId: number, folderId: number | null): Promise<JsonText> {
      const { project, folder } = await resolveFolder(database.read, actor, projectId, folderId);
      const build = async () => JSON.stringify(single("file_facets", presentFacets(await countFacets(project, folder))));
      return pageTexts.load(actor, project, { facets: folder }, build, { waitsForTurn: true });
    },
  };
}

const presentFacets = ({ kinds, statuses, keys, tags, uploaders, bpm }: Facets) => ({
  kinds: kinds.map(({ value, count }) => ({ kind: value, count })),
  statuses: statuses.map(({ value, count }) => ({ status: value && presentFileStatus(value), count })),
  keys: keys.map(({ value, count }) => ({ key: value, count })),
  tags: tags.map(({ value, count }) => ({ tag: value, count })),
  uploaders: uploaders.map(({ value, count }) => ({ account_id: value, count })),
  bpm,
});
