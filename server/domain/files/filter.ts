/** SQL conditions for the filters of a listing. */
import { sql, type Expression, type SqlBool } from "kysely";
import { foldName } from "../../../contract/file-order.ts";
import type { EntryKind } from "../../../contract/file-records.ts";

/** null members do not filter. */
export interface Filter {
  q: string | null;
  kinds: readonly EntryKind[] | null;
  /** A null entry matches files without a status. */
  statusIds: readonly (number | null)[] | null;
  bpmMin: number | null;
  bpmMax: number | null;
  key: string | null;
  tag: string | null;
  uploaderIds: readonly number[] | null;
  from: number | null;
  to: number | null;
}

/** Returns whether the filter excludes folders, because it tests a kind or a property that folders do not have. */
export const excludesFolders = ({ kinds, statusIds, bpmMin, bpmMax, key, tag }: Filter): boolean =>
  kinds?.includes("folder") === false || [statusIds, bpmMin, bpmMax, key, tag].some((criterion) => criterion !== null);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
const anyOf = (conditions: Expression<SqlBool>[]): Expression<SqlBool> => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

/** Returns conditions on columns of `files`, all of which must hold. */
export function buildConditions(filter: Filter): Expression<SqlBool>[] {
  const filterConditions: Expression<SqlBool>[] = [];
  const { q, kinds, statusIds, bpmMin, bpmMax, key, tag, uploaderIds, from, to } = filter;
  if (excludesFolders(filter)) filterConditions.push(sql<SqlBool>`files.is_folder = 0`);
  if (q !== null) filterConditions.push(sql<SqlBool>`files.folded_name like ${`%${escapeLike(foldName(q))}%`} escape '\\'`);
  if (kinds) filterConditions.push(sql<SqlBool>`files.kind in (${sql.join(kinds)})`);
  if (statusIds) {
    const ids = statusIds.filter((id) => id !== null);
    filterConditions.push(
      anyOf([
        ...(statusIds.includes(null) ? [sql<SqlBool>`files.status_id is null`] : []),
        ...(ids.length > 0 ? [sql<SqlBool>`files.status_id in (${sql.join(ids)})`] : []),
      ]),
    );
  }
  if (bpmMin !== null || bpmMax !== null) filterConditions.push(sql<SqlBool>`files.bpm > 0`);
  if (bpmMin !== null) filterConditions.push(sql<SqlBool>`files.bpm >= ${bpmMin}`);
  if (bpmMax !== null) filterConditions.push(sql<SqlBool>`files.bpm <= ${bpmMax}`);
  if (key !== null) filterConditions.push(sql<SqlBool>`files.music_key = ${key}`);
  if (tag !== null) filterConditions.push(sql<SqlBool>`exists (select 1 from file_tags where file_tags.file_id = files.id and file_tags.tag = ${tag})`);
  if (uploaderIds) filterConditions.push(sql<SqlBool>`files.uploader_id in (${sql.join(uploaderIds)})`);
  if (from !== null) filterConditions.push(sql<SqlBool>`files.changed_at >= ${from}`);
  if (to !== null) filterConditions.push(sql<SqlBool>`files.changed_at < ${to}`);
  return filterConditions;
}
